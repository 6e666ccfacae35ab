//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --never => holds, states 6
// An assertion in a claim that is always true.
byte x;

never {
  do
  :: assert(x < 3)
  od
}

active proctype P() {
  do
  :: x < 2 -> x++
  :: x == 2 -> x = 0
  od
}
