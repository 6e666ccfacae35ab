//@ verdict: violated
//@ errors: 1
//@ states: 6
//@ transitions: 6
//@ violation: assertion
// assert(false) is executable like skip, so both options are explored; one of them fails.
byte x;

active proctype p() {
  if
  :: assert(false); x = 1
  :: x = 2
  fi
}
