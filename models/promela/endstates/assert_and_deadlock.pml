//@ verdict: violated
//@ errors: 2
//@ states: 5
//@ transitions: 5
//@ violation: assertion, invalid end state
// One branch violates an assertion, the other gets stuck.
byte x;

active proctype p() {
  if
  :: x = 1; assert(x == 2)
  :: x = 2; x == 1
  fi
}
