//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Several names after one type, with and without values and array sizes.
byte a = 1, b, c[2] = 3, d = 4;

active proctype main() {
  int x = 5, y[2];
  int z = x + 1, w = d;
  assert(a == 1 && b == 0 && c[1] == 3 && d == 4);
  assert(x == 5 && y[1] == 0 && z == 6 && w == 4)
}
