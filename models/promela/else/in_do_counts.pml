//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// else in a loop: the way to leave when no guard holds.
active proctype main() {
  byte a = 3, b;
  do
  :: a > 0 -> a--; b++
  :: else -> break
  od;
  assert(a == 0 && b == 3)
}
