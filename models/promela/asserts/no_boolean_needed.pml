//@ verdict: violated
// Any expression may be asserted; zero fails, every other number holds.
int x = -3;

active proctype p() {
  assert(x);
  assert(x + 3)
}
