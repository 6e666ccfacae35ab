//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 14
//@ violation: assertion
// A d_step that stands right before the end of an atomic sequence does not take the statement
// behind the sequence along: Q can see x == 5.
byte x;

active proctype P() {
  atomic { x = 3; if :: d_step { x = 4; x = 5 } fi };
  x = 6
}

active proctype Q() {
  assert(x != 5)
}
