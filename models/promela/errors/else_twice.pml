//@ verdict: error
//@ error: else
// Two else options in one selection.
byte x;

active proctype main() {
  if
  :: x == 1 -> skip
  :: else -> x = 2
  :: else -> x = 3
  fi
}
