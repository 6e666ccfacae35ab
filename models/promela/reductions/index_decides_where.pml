//@ verdict: violated
//@ errors: 1
//@ states: 12
//@ transitions: 13
// An index that can never be out of range is needed because it decides which element is written.
byte g;

active proctype main() {
  bit i;
  byte a[2];
  if
  :: i = 0
  :: i = 1
  fi;
  g = 1;
  a[i] = 5;
  g = 2;
  assert(a[0] == 0)
}
