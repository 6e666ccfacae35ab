//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// Operands are widened to int before an operator is applied; only the final
// assignment truncates.  200 + 100 is 300 in a guard, but 44 in a byte.
byte x = 200, y = 100, z;
int w;

active proctype main() {
  (x + y == 300);
  z = x + y;
  assert(z == 44);
  w = x + y;
  assert(w == 300);
  w = y - x;
  assert(w == -100);
  z = (x + y) / 2;
  assert(z == 150)
}
