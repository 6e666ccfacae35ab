//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// (c -> a : b) is an expression: it may be nested, may be used in arithmetic, as an
// index, and only the chosen branch is evaluated.
byte a[2] = { 10, 20 };
int z;

active proctype main() {
  byte i, m;
  m = (a[0] > a[1] -> a[0] : a[1]);
  assert(m == 20);
  m = 1 + (i == 0 -> (m == 20 -> 5 : 6) : 7);
  assert(m == 6);
  m = a[(m == 6 -> 1 : 0)];
  assert(m == 20);
  m = (z == 0 -> 3 : 10 / z);
  assert(m == 3)
}
