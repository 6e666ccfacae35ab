//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 19
// The body of a loop is atomic, but between two rounds others may run.
byte x, y;

active proctype p() {
  byte k;
  do
  :: atomic { k < 2 -> x++; y++; k++ }
  :: atomic { k == 2 -> break }
  od
}

active proctype q() {
  assert(x == y)
}
