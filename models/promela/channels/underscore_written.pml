//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// _ may be assigned; the value is lost, and the variable is not part of the state.
active proctype main() {
  byte i;
  do
  :: i < 2 -> _ = i; i++
  :: else -> break
  od
}
