//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// An array of length one is still an array: it is accessed with index 0.
byte a[1] = 5;

active proctype main() {
  a[0] = a[0] + 1;
  assert(a[0] == 6)
}
