//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// A d_step as the last statement; the end of the process is a step of its own.
byte x;

active [2] proctype p() {
  d_step { x++; x++ }
}
