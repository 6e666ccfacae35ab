//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 12
// No process sees the values inside an atomic sequence.
byte x;

active proctype p() {
  atomic { x = 1; x = 2; x = 0 }
}

active proctype q() {
  assert(x == 0);
  assert(x == 0)
}
