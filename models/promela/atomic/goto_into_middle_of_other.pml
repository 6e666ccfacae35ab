//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// A jump from one atomic sequence into the middle of another keeps control: q cannot
// see x equal to 1 (compare goto_between_two).
byte x;

active proctype p() {
  atomic { x = 1; goto next };
  x = 100;
  atomic {
    x = 50;
next:
    x = 2;
    x = 3
  }
}

active proctype q() {
  assert(x == 0 || x == 3)
}
