//@ verdict: violated
//@ errors: 1
//@ states: 7
//@ transitions: 7
//@ violation: runtime error
//@ spin: no - it goes on after the wrong index
// The element is not needed, but the index may be out of range.
byte g;

active proctype main() {
  byte i, element;
  byte a[3];
  if
  :: i = 1
  :: i = 3
  fi;
  g = 1;
  element = a[i]
}
