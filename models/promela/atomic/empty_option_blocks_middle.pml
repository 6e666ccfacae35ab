//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 15
// The inner selection blocks until y is set; p gives up control there and q can
// set y, though p is in the middle of its sequence.
byte x, y;

active proctype p() {
  atomic {
    x = 1;
    if
    :: y == 1 -> x = 2
    :: y == 2 -> x = 3
    fi
  }
}

active proctype q() {
  x == 1;
  if
  :: y = 1
  :: y = 2
  fi
}
