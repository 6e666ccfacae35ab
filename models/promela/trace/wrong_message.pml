//@ verdict: violated
//@ errors: 1
//@ states: 3
//@ transitions: 3
//@ violation: trace
// The message sent is not the one the trace expects.
mtype = { a, b };
chan q = [1] of { mtype };

trace {
  q!a
}

active proctype s() {
  q!b
}
