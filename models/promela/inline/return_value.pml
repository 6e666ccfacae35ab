//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// An inline may deliver a value with return; the call then stands on the right of an
// assignment.
inline larger(a, b) {
  if
  :: a > b -> return a
  :: else -> return b
  fi
}

byte x;

active proctype main() {
  x = larger(3, 8);
  assert(x == 8);
  x = larger(x, 2);
  assert(x == 8)
}
