//@ verdict: violated
//@ errors: 2
//@ states: 11
//@ transitions: 13
//@ violation: assertion
// Both ends of the range are really chosen: one assertion fails for 1, one for 3.
active proctype main() {
  byte i;
  select (i : 1 .. 3);
  assert(i != 1);
  assert(i != 3)
}
