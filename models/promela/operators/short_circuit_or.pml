//@ verdict: holds
// || stops at a true left operand; the division by zero on its right is not done.
int d;

active proctype main() {
  (d == 0 || 10 / d > 1);
  d = 2;
  (d == 0 || 10 / d > 1)
}
