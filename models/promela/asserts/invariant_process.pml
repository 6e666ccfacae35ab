//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 14
//@ violation: assertion
// A separate process with one assertion watches an invariant in every state.
byte x, y;

active proctype p() {
  x++;
  y++
}

active proctype invariant() {
  assert(x == y)
}
