//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 17
// After blocking in the middle, the rest of the sequence is atomic again from the
// moment the guard is executable and chosen.
byte x, y;

active proctype p() {
  atomic { x = 1; (y == 1); x = 2; x = 3; x = 4 }
}

active proctype q() {
  y = 1;
  assert(x != 2 && x != 3)
}
