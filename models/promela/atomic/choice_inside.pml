//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 27
// Choices inside an atomic sequence are all explored.
byte x, y;

active proctype p() {
  atomic {
    if
    :: x = 1
    :: x = 2
    fi;
    if
    :: y = x
    :: y = x * 2
    fi
  }
}

active proctype q() {
  assert((x == 0 && y == 0) || (x > 0 && y >= x))
}
