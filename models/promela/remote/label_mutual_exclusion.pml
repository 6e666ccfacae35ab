//@ verdict: violated
//@ errors: 1
//@ states: 31
//@ transitions: 61
//@ violation: assertion
// Nothing protects the section, so both processes can stand at the label at once;
// P[i]@label names the instance by its pid.
active [2] proctype p() {
  skip;
crit:
  skip
}

active proctype watch() {
  assert(!(p[0]@crit && p[1]@crit))
}
