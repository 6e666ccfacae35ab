//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An inline without parameters, used in an atomic sequence and in a selection.
byte n;

inline bump() {
  n++;
  n++
}

active proctype main() {
  atomic { bump(); bump() }
  if
  :: n == 4 -> bump()
  :: else -> assert(false)
  fi;
  assert(n == 6)
}
