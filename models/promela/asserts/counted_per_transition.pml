//@ verdict: violated
//@ errors: 3
//@ states: 10
//@ transitions: 10
//@ violation: assertion
// The same assertion fails once for each state from which it is executed: x = 1, 2, 3.
byte x;

active proctype p() {
  if
  :: x = 1
  :: x = 2
  :: x = 3
  fi;
  assert(x == 0)
}
