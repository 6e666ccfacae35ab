//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A long computation in one step: the sum of the numbers up to 200.
int s;

active proctype p() {
  int i;
  d_step {
    i = 1;
    do
    :: i <= 200 -> s = s + i; i++
    :: else -> break
    od;
    i = 0
  }
  assert(s == 20100)
}
