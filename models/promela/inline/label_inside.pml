//@ verdict: holds
//@ errors: 0
//@ states: 73
//@ transitions: 129
// A label and a goto in an inline.  Two processes use it, and each gets a label of its own.
inline count_to(v, n) {
  v = 0;
again:
  v++;
  if
  :: v < n -> goto again
  :: else
  fi
}

active proctype main() {
  byte x;
  count_to(x, 3);
  assert(x == 3)
}

active proctype other() {
  byte y;
  count_to(y, 2);
  assert(y == 2)
}
