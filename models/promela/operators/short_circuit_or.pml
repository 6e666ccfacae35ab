//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// || stops at a true left operand; the division by zero on its right is not done.
int d;

active proctype main() {
  (d == 0 || 10 / d > 1);
  d = 2;
  (d == 0 || 10 / d > 1)
}
