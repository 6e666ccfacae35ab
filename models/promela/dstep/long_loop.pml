//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A d_step may take long.
int x;

active proctype p() {
  d_step { do :: x < 100000 -> x++ :: else -> break od };
  assert(x == 100000)
}
