//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// A sequence that blocks in its middle for ever is a deadlock.
byte x;

active proctype p() {
  atomic { x = 1; x == 0; x = 2 }
}
