//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// A loop by goto inside an atomic sequence stays atomic.
byte x;

active proctype p() {
  atomic {
    x = 0;
again:
    x++;
    if
    :: x < 3 -> goto again
    :: else
    fi;
    x = 0
  }
}

active proctype q() {
  assert(x == 0)
}
