//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A macro over several lines joined by backslashes, used as a statement block.
#define SET_BOTH(v) \
  {                 \
    a = v;          \
    b = v + 1;      \
  }

byte a, b;

active proctype main() {
  SET_BOTH(4)
  assert(a == 4 && b == 5);
  if
  :: a == 4 -> SET_BOTH(7)
  :: else
  fi;
  assert(b == 8)
}
