//@ verdict: violated
//@ errors: 2
//@ states: 6
//@ transitions: 6
//@ violation: assertion
// A failed assertion does not stop the search: the state behind it and the second
// assertion are reached as well.
byte x;

active proctype p() {
  assert(x == 1);
  x = 5;
  assert(x == 6);
  x = 7
}
