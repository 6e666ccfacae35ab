//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// One value initialises all elements of an array.
byte a[4] = 9;

active proctype main() {
  short b[3] = -2;
  assert(a[0] == 9 && a[1] == 9 && a[2] == 9 && a[3] == 9);
  assert(b[0] + b[1] + b[2] == -6)
}
