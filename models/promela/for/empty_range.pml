//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// An empty range executes the body not at all; the variable still gets the start value.
byte lo = 3, hi = 2;

active proctype main() {
  int i;
  for (i : lo .. hi) {
    assert(false)
  }
  assert(i == 3)
}
