//@ verdict: error
//@ error: =
// An assignment is a statement and cannot be used as a condition.
byte x, y;

active proctype main() {
  if
  :: (x = y) -> skip
  fi
}
