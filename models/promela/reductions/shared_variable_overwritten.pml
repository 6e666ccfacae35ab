//@ verdict: violated
//@ errors: 2
//@ states: 14
//@ transitions: 16
// A value that is overwritten at once in a shared variable is seen by others in between, so what it
// comes from is needed.
byte g;

active proctype writer() {
  byte x;
  if
  :: x = 1
  :: x = 2
  fi;
  g = x;
  g = 0
}

active proctype reader() {
end:
  (g == 2);
  assert(false)
}
