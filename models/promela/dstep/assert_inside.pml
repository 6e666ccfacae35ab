//@ verdict: violated
//@ errors: 1
//@ states: 3
//@ transitions: 3
//@ violation: assertion
// An assertion inside a d_step is checked there.
byte x;

active proctype p() {
  d_step {
    x = 1;
    assert(x == 2);
    x = 2
  }
}
