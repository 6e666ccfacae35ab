//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 12
// assert as a guard, in an atomic sequence, in a d_step, in an option, after an arrow.
byte x;

active proctype p() {
  if
  :: assert(x == 0) -> x = 1
  fi;
  atomic { assert(x == 1); x = 2 }
  d_step { assert(x == 2); x = 3 }
  do
  :: x == 3 -> assert(x == 3); x = 4
  :: x == 4 -> assert(true) -> break
  od;
  assert(x == 4)
}
