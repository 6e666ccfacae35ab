//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// An option that begins with an atomic or a d_step is executable when the first
// statement inside is; otherwise the else is.
byte x, r;

active proctype main() {
  if
  :: atomic { x == 1 -> r = 1 }
  :: d_step { x == 2 -> r = 2 }
  :: else -> r = 3
  fi;
  assert(r == 3);
  x = 2;
  if
  :: atomic { x == 1 -> r = 1 }
  :: d_step { x == 2 -> r = 2 }
  :: else -> r = 3
  fi;
  assert(r == 2)
}
