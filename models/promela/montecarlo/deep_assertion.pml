//@ verdict: violated
//@ errors: 1
//@ states: 34
//@ transitions: 44
//@ violation: assertion
// N right choices in a row lead to an assertion that fails, each wrong one back to the start: an error
// without any formula. A random walk finds it with probability 2^-N before it is at the start again.
#ifndef N
#define N 10
#endif

byte right;

active proctype choices() {
  do
  :: right < N -> right++
  :: right > 0 -> right = 0
  :: right == N -> break
  od;
  assert(right < N)
}
