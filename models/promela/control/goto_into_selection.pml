//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A jump into one option of a selection skips its guard.
byte x;

active proctype main() {
  goto there;
  if
  :: x == 77 -> x = 1;
there:
     x = x + 2
  :: else -> assert(false)
  fi;
  assert(x == 2)
}
