//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// Every executable option of a selection is tried, not only the first.
byte x;

active proctype main() {
  if
  :: x = 1
  :: x = 2
  :: x == 0 -> x = 3
  :: x != 0 -> x = 4
  fi;
  assert(x >= 1 && x <= 3)
}
