//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// A d_step is a single transition, however many statements it holds.
byte x;

active proctype p() {
  d_step { x = 1; x = 2; x = 3; x = 4 }
}
