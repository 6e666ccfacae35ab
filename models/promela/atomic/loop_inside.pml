//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// A loop in an atomic sequence, left by break; the values on the way are invisible.
byte x;

active proctype p() {
  atomic {
    do
    :: x < 5 -> x++
    :: x == 5 -> break
    od
  }
}

active proctype q() {
  assert(x == 0 || x == 5)
}
