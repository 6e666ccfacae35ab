//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 14
//@ violation: assertion
// A jump from one atomic sequence to the start of another gives up control in
// between, so q can see x equal to 1.
byte x;

active proctype p() {
  atomic { x = 1; goto next };
  x = 100;
next:
  atomic { x = 2; x = 3 }
}

active proctype q() {
  assert(x == 0 || x == 3)
}
