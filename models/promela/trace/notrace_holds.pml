//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// The forbidden history, two sends of a in a row, cannot happen.
mtype = { a, b };
chan q = [2] of { mtype };

notrace {
  q!a; q!a
}

active proctype s() {
  q!a; q!b
}
