//@ verdict: holds
//@ errors: 0
//@ states: 6
// Expressions may have any number of operators.
#define TEN(x) x + x + x + x + x + x + x + x + x + x
#define HUNDRED(x) TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x) + TEN(x)
#define THOUSAND(x) HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x) + HUNDRED(x)
int n = 1;
int sum;
active proctype P() {
  sum = THOUSAND(n) - THOUSAND(n) - THOUSAND(n) + THOUSAND(2 * n);
  assert(sum == 1000 + 998 + 998 + 2000);
  assert(THOUSAND(n) == 1000 && THOUSAND(3 * n) == 3000);
  assert(0 < (THOUSAND(n)))
}
