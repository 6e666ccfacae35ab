//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// && does not evaluate its right operand when the left one is false, so the array
// is never indexed out of bounds.
byte a[3];
byte i = 3;

active proctype main() {
  if
  :: i < 3 && a[i] == 0 -> assert(false)
  :: else -> i = 2
  fi;
  if
  :: i < 3 && a[i] == 0 -> skip
  :: else -> assert(false)
  fi
}
