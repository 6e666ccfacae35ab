//@ verdict: violated
//@ errors: 1
//@ states: 16
//@ transitions: 23
// A variable that its own process never reads is read by another one.
byte g;

active proctype main() {
  byte x;
  if
  :: x = 1
  :: x = 2
  fi;
  g = 1;
  x = 0
}

active proctype reader() {
  (g == 1);
  assert(main:x != 2)
}
