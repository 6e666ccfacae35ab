//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 14
//@ violation: assertion
// The same with an unless around the d_step.
byte x;

active proctype P() {
  atomic { x = 3; { d_step { x = 4; x = 5 } } unless { x == 9 } };
  x = 6
}

active proctype Q() {
  assert(x != 5)
}
