//@ verdict: violated
// assert(false) is executable like skip, so both options are explored; one of them fails.
byte x;

active proctype p() {
  if
  :: assert(false); x = 1
  :: x = 2
  fi
}
