//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A mathematical-looking chain 1 < x < 3 compares the truth value of 1 < x with 3 and
// is therefore always true, here even for x = 9.
int x = 9;

active proctype main() {
  if
  :: 1 < x < 3 -> skip
  :: else -> assert(false)
  fi;
  assert(!(x == x == x));
  assert(5 >= 5 && 5 <= 5 && 5 != 6)
}
