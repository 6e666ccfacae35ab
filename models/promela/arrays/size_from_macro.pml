//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 16
//@ args: -DN=4
// The array length comes from the command line; the loop fills all of it.
byte a[N];

active proctype main() {
  byte i;
  do
  :: i < N -> a[i] = i * i; i++
  :: else -> break
  od;
  assert(a[N - 1] == (N - 1) * (N - 1))
}
