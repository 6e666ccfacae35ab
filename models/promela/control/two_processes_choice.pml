//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 27
// Two processes choose freely and independently; all four combinations are reached.
byte a, b;

active proctype p() {
  if
  :: a = 1
  :: a = 2
  fi
}

active proctype q() {
  if
  :: b = 1
  :: b = 2
  fi
}
