//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// The trace demands that sends and receives on q alternate, which a channel of
// capacity one guarantees.
mtype = { a };
chan q = [1] of { mtype };

trace {
  do
  :: q!a; q?a
  od
}

active proctype s() {
  q!a; q!a
}

active proctype r() {
  q?a; q?a
}
