//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 12
//@ check: --acceptance => holds, states 11
// A loop that is left whenever the accept label is reached.
byte x;

active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  :: x == 2 ->
accept:
     x = 0; break
  od
}
