//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A false assertion which cannot be reached does no harm.
byte x;

active proctype p() {
  if
  :: x > 0 -> assert(false)
  :: else -> skip
  fi
}
