//@ verdict: violated
//@ errors: 1
//@ states: 7
//@ transitions: 7
//@ violation: invalid end state
// Once its only guard is false the loop blocks, it does not end.
byte n;

active proctype main() {
  do
  :: n < 3 -> n++
  od;
  assert(false)
}
