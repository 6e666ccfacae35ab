//@ verdict: violated
//@ errors: 1
//@ states: 12
//@ transitions: 17
//@ violation: assertion
// The guard in the middle blocks, so other processes may run in between and
// see the half-done value: the assertion of q fails.
byte x, y;

active proctype p() {
  atomic { x = 1; (y == 1); x = 2 }
}

active proctype q() {
  y = 1;
  assert(x != 1)
}
