//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// D_proctype announces a deterministic process and is otherwise a proctype.
byte n;

active D_proctype p() {
  do
  :: n < 3 -> n++
  :: n >= 3 -> break
  od;
  assert(n == 3)
}
