//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --never => holds, states 6
// The same claim where its end is out of reach.
byte x;

never {
  do
  :: x < 3
  :: x == 3 -> break
  od
}

active proctype P() {
  do
  :: x < 2 -> x++
  :: x == 2 -> x = 0
  od
}
