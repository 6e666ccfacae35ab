//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// A d_step inside an atomic sequence.
byte x, y;

active proctype p() {
  atomic {
    x = 1;
    d_step { x = 2; y = x; x = 3 };
    x = x + y
  }
}

active proctype q() {
  assert((x == 0 && y == 0) || (x == 5 && y == 2))
}
