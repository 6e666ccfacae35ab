//@ verdict: violated
//@ violation: runtime error
//@ spin: no - its verifier crashes at the division
// Whether the division is carried out is decided by a variable that is not asked for otherwise.
byte g;

active proctype main() {
  byte x, result;
  bool divide;
  if
  :: divide = true
  :: divide = false
  fi;
  g = 1;
  result = divide && 6 / x > 1
}
