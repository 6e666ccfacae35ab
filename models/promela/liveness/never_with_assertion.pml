//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --never => violated
// An assertion in a claim is checked in each state that the claim looks at.
byte x;

never {
  do
  :: assert(x < 3)
  od
}

active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  od
}
