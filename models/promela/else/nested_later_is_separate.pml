//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// Here a skip stands before the inner selection, which makes it a control point of its
// own.  Its else looks at the inner guards only, so both values of r are possible:
// five further states against the model with the inner selection first.
byte x = 1, r;

active proctype main() {
  if
  :: x == 1 -> r = 1
  :: skip;
     if
     :: x == 2 -> r = 2
     :: else -> r = 3
     fi
  fi;
  assert(r == 1 || r == 3)
}
