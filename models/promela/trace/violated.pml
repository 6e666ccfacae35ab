//@ verdict: violated
//@ errors: 2
//@ states: 9
//@ transitions: 10
//@ violation: trace
// With room for two messages a second send may come before the first receive.
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
