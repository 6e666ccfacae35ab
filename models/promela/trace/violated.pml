//@ verdict: violated
//@ errors: 2
//@ states: 9
//@ transitions: 10
//@ violation: trace
// With room for two messages a second send may come before the first receive.  An
// event without a match is an error and leaves the trace where it is, so the second
// receive of that run is an error again.
mtype = { a };
chan q = [2] of { mtype };

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
