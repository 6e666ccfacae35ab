//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// else is executable only when no other option of its selection is.
byte x = 3;

active proctype main() {
  if
  :: x == 1 -> assert(false)
  :: x == 2 -> assert(false)
  :: else -> x = 4
  fi;
  if
  :: x == 4 -> x = 5
  :: else -> assert(false)
  fi;
  assert(x == 5)
}
