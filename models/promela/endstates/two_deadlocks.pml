//@ verdict: violated
// Two different choices end in two different stuck states, and each counts.
byte x;

active proctype p() {
  if
  :: x = 1
  :: x = 2
  fi;
  x == 0
}
