//@ verdict: violated
//@ violation: runtime error
//@ spin: no - its verifier crashes at the division
// The quotient is not needed, but the divisor may be zero.
byte g;

active proctype main() {
  byte x, quotient;
  if
  :: x = 1
  :: x = 0
  fi;
  g = 1;
  quotient = 6 / x
}
