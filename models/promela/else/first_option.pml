//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// The position of else among the options does not matter.
byte x = 1;

active proctype main() {
  if
  :: else -> assert(false)
  :: x == 1 -> skip
  fi;
  do
  :: else -> break
  :: x < 3 -> x++
  od;
  assert(x == 3)
}
