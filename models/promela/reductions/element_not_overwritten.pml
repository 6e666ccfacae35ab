//@ verdict: violated
//@ errors: 1
//@ states: 18
//@ transitions: 21
// Writing to an element whose index is not known leaves the others alive.
byte g;

active proctype main() {
  byte i, a[2];
  if
  :: a[0] = 1
  :: a[0] = 2
  fi;
  if
  :: i = 0
  :: i = 1
  fi;
  g = 1;
  a[i] = 5;
  assert(a[0] != 2)
}
