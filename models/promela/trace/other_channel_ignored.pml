//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 14
// Only the channels and directions that occur in the trace are watched: receives on q and
// everything on r are free.
mtype = { a, b };
chan q = [2] of { mtype };
chan r = [2] of { mtype };

trace {
  q!a; q!b
}

active proctype s() {
  r!b; q!a; r!b; q!b
}

active proctype t() {
  q?a; q?b; r?b
}
