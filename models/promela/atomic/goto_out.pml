//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 30
// Jumping out of an atomic sequence ends it: before x = 2 others may run.
byte x, seen;

active proctype p() {
  atomic { x = 1; goto out; x = 9 };
out:
  x = 2
}

active proctype q() {
  seen = x;
  assert(seen == 0 || seen == 1 || seen == 2)
}
