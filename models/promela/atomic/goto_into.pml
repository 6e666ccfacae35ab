//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// Jumping into the middle of an atomic sequence: the rest from there is atomic.
byte x;

active proctype p() {
  goto middle;
  atomic {
    x = 5;
middle:
    x = 1;
    x = 2
  }
}

active proctype q() {
  assert(x == 0 || x == 2)
}
