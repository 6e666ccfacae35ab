//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// An inner selection that is the first statement of an outer option adds its guards to
// the same control point.  An else in it is therefore executable only if no guard of
// that point is, the outer ones included: x == 1 holds, so the else is not taken.
byte x = 1, r;

active proctype main() {
  if
  :: x == 1 -> r = 1
  :: if
     :: x == 2 -> r = 2
     :: else -> r = 3
     fi
  fi;
  assert(r == 1)
}
