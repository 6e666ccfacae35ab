//@ verdict: violated
//@ errors: 1
//@ states: 14
//@ transitions: 15
// What a d_step reads is needed before it, and what it writes is not.
byte g;

active proctype main() {
  byte x, y;
  if
  :: x = 1; y = 1
  :: x = 2; y = 2
  fi;
  g = 1;
  d_step { y = x; x = 0; if :: y > 1 -> y = y + 1 :: else fi };
  g = 2;
  assert(y == 1)
}
