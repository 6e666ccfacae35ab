//@ verdict: violated
// Two runs meet in the same stuck state; it is one state and one error.
byte x;

active proctype p() {
  if
  :: x = 1; x = 3
  :: x = 2; x = 3
  fi;
  x == 0
}
