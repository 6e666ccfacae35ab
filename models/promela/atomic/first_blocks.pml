//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An atomic sequence is executable when its first statement is.
byte x, done;

active proctype p() {
  atomic { x == 1 -> x = 2; done = 1 }
}

active proctype q() {
  x = 1;
  done;
  assert(x == 2)
}
