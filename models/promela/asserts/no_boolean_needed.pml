//@ verdict: violated
//@ errors: 1
//@ states: 4
//@ transitions: 4
//@ violation: assertion
// Any expression may be asserted; zero fails, every other number holds.
int x = -3;

active proctype p() {
  assert(x);
  assert(x + 3)
}
