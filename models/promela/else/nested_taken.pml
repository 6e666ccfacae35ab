//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// As before, but now neither the outer nor the inner guard holds, and the inner else
// is taken.
byte x = 5, r;

active proctype main() {
  if
  :: x == 1 -> r = 1
  :: if
     :: x == 2 -> r = 2
     :: else -> r = 3
     fi
  fi;
  assert(r == 3)
}
