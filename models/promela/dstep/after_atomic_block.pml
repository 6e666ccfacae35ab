//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 19
// A d_step at the end of an atomic sequence ends the sequence.
byte x, y;

active [2] proctype p() {
  atomic {
    x++;
    d_step { y++; x-- }
  }
  assert(x == 0 && y >= 1)
}
