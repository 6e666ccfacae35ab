//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A selection as the first statement of an option: the option is executable exactly
// when one of the inner options is.  Entering takes no step of its own.
byte x = 2, r;

active proctype main() {
  if
  :: if
     :: x == 1 -> r = 1
     :: x == 2 -> r = 2
     fi
  :: if
     :: x == 3 -> r = 3
     fi
  fi;
  assert(r == 2)
}
