//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// The guard keeps the division from ever being done; a checker must not evaluate
// it early.
int d, r;

active proctype main() {
  do
  :: d != 0 -> r = 12 / d; break
  :: d == 0 -> d = 4
  od;
  assert(r == 3)
}
