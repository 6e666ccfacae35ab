//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// The declaration stands inside the loop body, so the variable is set again in
// every round and never exceeds one.
active proctype main() {
  byte i;
  do
  :: i < 3 ->
     byte x = 0;
     x++;
     assert(x == 1);
     i++
  :: else -> break
  od
}
