//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A goto whose target lies in the same d_step.  SPIN does not accept a label on
// the very first statement of a d_step.
byte n;

active proctype p() {
  d_step {
    n = 1;
again:
    n++;
    if
    :: n < 5 -> goto again
    :: else
    fi;
    n = n + 100
  }
  assert(n == 105)
}
