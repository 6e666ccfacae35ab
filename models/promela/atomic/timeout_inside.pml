//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 16
// The timeout in the middle blocks as long as the other process can move, and the
// sequence gives up control until then.
byte x, y;

active proctype p() {
  atomic { x = 1; timeout; x = 2 }
}

active proctype q() {
  y = 1;
  y = 2;
  assert(x != 2)
}
