//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// int arithmetic is done in 32 bits with two's complement wrap-around.
int i = 2147483647;
int j;

active proctype main() {
  i++;
  assert(i < 0);
  i--;
  assert(i == 2147483647);
  j = i + i;
  assert(j == -2);
  j = i * 2 + 2;
  assert(j == 0)
}
