//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// -> and ; are the same separator.
byte x;

active proctype main() {
  x = 1 -> x = 2 -> assert(x == 2);
  if
  :: x == 2; x = 3
  :: x == 1 -> x = 4
  fi ->
  x == 3 -> x = 5;
  assert(x == 5)
}
