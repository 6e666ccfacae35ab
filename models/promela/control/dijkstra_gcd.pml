//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Greatest common divisor by repeated subtraction.
int x = 21, y = 14;

active proctype main() {
  do
  :: x > y -> x = x - y
  :: y > x -> y = y - x
  :: x == y -> break
  od;
  assert(x == 7)
}
