//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// The end of the process after an atomic body is a separate step.
byte x;

active [2] proctype p() {
  atomic { x++; x++ }
}
