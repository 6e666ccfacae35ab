//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Binary operators associate to the left: 20/5/2 is (20/5)/2.
int n = 20;

active proctype main() {
  assert(n - 5 - 2 == 13);
  assert(n / 5 / 2 == 2);
  assert(n % 7 % 4 == 2);
  assert(n / 5 * 2 == 8);
  assert(3 > 2 > 1 == 0);
  assert(1 << 2 << 3 == 32)
}
