//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// Comparisons and logical operators yield 0 or 1 and can be stored and added up.
bool f;
int n;

active proctype main() {
  f = (3 > 2);
  assert(f == 1);
  n = (1 < 2) + (2 < 3) + (3 < 2);
  assert(n == 2);
  n = !5 + !0;
  assert(n == 1);
  n = (7 && 9) + (0 || 4);
  assert(n == 2);
  f = true; n = false;
  assert(f && !n)
}
