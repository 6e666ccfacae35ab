//@ verdict: violated
//@ errors: 4
//@ states: 69
//@ transitions: 107
//@ violation: assertion
// Testing and setting a lock in two separate steps does not protect anything.
bool lock;
byte inside;

active [2] proctype p() {
  !lock;
  lock = true;
  inside++;
  assert(inside == 1);
  inside--;
  lock = false
}
