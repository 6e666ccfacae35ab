//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// A declaration in a loop body without an initial value sets the variable back to
// zero in every round, as if the value 0 had been given.
active proctype main() {
  byte i;
  do
  :: i < 3 ->
     byte x;
     x++;
     i++;
     assert(x == 1)
  :: else -> break
  od
}
