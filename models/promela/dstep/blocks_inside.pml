//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: runtime error
// A statement in the middle of a d_step that cannot be executed is an error.
byte x;

active proctype p() {
  d_step { x = 1; x == 2; x = 3 }
}
