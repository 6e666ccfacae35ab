//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 25
// A blocked selection waits until another process makes an option executable.
byte x;

active proctype waiter() {
  if
  :: x == 1 -> x = 10
  :: x == 2 -> x = 20
  fi;
  assert(x == 10 || x == 20)
}

active proctype setter() {
  if
  :: x = 1
  :: x = 2
  fi
}
