//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// timeout beside else in one selection: something is executable (the else), so the
// timeout is not.
byte x;

active proctype main() {
  if
  :: timeout -> x = 1
  :: else -> x = 2
  fi;
  assert(x == 2)
}
