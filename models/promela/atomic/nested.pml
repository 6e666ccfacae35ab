//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// An atomic inside an atomic changes nothing; the end of the inner one does not end
// the outer one.
byte x;

active proctype p() {
  atomic {
    x = 1;
    atomic { x = 2; x = 3 };
    x = 4;
    x = 0
  }
}

active proctype q() {
  assert(x == 0)
}
