//@ verdict: violated
//@ errors: 2
//@ states: 65
//@ transitions: 95
// An argument is needed because the child asserts something about its parameter, but only on one of
// its ways.
byte g;

proctype child(byte used; byte unused) {
  if
  :: g == 0 -> unused = 0
  :: g == 1 -> assert(used == 1)
  fi
}

init {
  byte x, y;
  if
  :: x = 1
  :: x = 2
  fi;
  if
  :: y = 1
  :: y = 2
  fi;
  run child(x, y);
  if
  :: g = 1
  :: skip
  fi
}
