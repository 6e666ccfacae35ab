//@ verdict: violated
//@ errors: 2
//@ states: 3
//@ transitions: 3
//@ violation: invalid end state
// Two different choices end in two different stuck states, and each counts.
byte x;

active proctype p() {
  if
  :: x = 1
  :: x = 2
  fi;
  x == 0
}
