//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
// Two identical options lead to the same state: one state, but two transitions.
byte a;

active proctype p() {
  if
  :: a = 1
  :: a = 1
  fi
}
