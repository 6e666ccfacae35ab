//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
// A d_step is executable when its first statement is.
byte x, y;

active proctype p() {
  d_step { x == 2 -> y = 1; x = 0 }
  assert(x == 0 && y == 1)
}

active proctype q() {
  x = 1;
  x = 2
}
