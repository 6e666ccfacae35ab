//@ verdict: violated
//@ errors: 1
//@ states: 4
//@ transitions: 5
//@ violation: invalid end state
// Two runs meet in the same stuck state; it is one state and one error.
byte x;

active proctype p() {
  if
  :: x = 1; x = 3
  :: x = 2; x = 3
  fi;
  x == 0
}
