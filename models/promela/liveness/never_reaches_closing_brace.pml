//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
//@ check: --never => violated
// A claim that comes to its end has found what must never be.
byte x;

never {
  do
  :: x < 3
  :: x == 3 -> break
  od
}

active proctype P() {
  do
  :: x < 4 -> x++
  :: x == 4 -> break
  od
}
