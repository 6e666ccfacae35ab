//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Division truncates towards zero and the remainder takes the sign of the
// dividend, as in C.
int a = -7, b = 2, c = -2;

active proctype main() {
  assert(a / b == -3);
  assert(a % b == -1);
  assert(7 / c == -3);
  assert(7 % c == 1);
  assert(a / c == 3 && a % c == -1);
  assert((a / b) * b + a % b == a)
}
