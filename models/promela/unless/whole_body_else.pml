//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A selection with else in the main part: the escape is still looked at first.
byte x = 3, r;

active proctype main() {
  {
    if
    :: x == 1 -> r = 1
    :: else -> r = 2
    fi
  } unless {
    x == 3 -> r = 3
  }
  assert(r == 3)
}
