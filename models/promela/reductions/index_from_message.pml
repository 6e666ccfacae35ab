//@ verdict: violated
//@ errors: 1
//@ states: 16
//@ transitions: 19
//@ violation: assertion
//@ spin: no - when it goes back it restores the element with the old index
// The index is stored by the same receive that uses it, so its old value is dead before and its new
// one is not.
chan c = [1] of { byte, byte };
byte g;

active proctype main() {
  byte i, a[2];
  if
  :: i = 0
  :: i = 1
  fi;
  if
  :: c!0, 7
  :: c!1, 7
  fi;
  g = 1;
  c?i, a[i];
  assert(a[0] == 0)
}
