//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// break leaves a loop that lies wholly within the d_step.
byte n;

active proctype p() {
  d_step {
    do
    :: n == 4 -> break
    :: else -> n++
    od;
    n = n * 2
  }
  assert(n == 8)
}
