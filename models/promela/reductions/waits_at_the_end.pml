//@ verdict: holds
//@ errors: 0
//@ states: 38
//@ transitions: 56
// A parent that has come to its end waits for its child, with values that are not needed.
byte g;

proctype child() {
  g = 1;
  g = 2
}

init {
  byte x;
  run child();
  if
  :: x = 1
  :: x = 2
  :: x = 3
  fi;
  g = x
}
