//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
// The initial value of a local is computed when the process is created, so it is the
// value the global has at the time of the run statement.
byte g;

proctype child(byte expected) {
  byte seen = g;
  assert(seen == expected)
}

init {
  atomic { g = 1; run child(1); g = 2; run child(2); g = 3 }
}
