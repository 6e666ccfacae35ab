//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --never => violated
// A claim that is over at once forbids everything.
byte x;

never {
  true
}

active proctype P() {
  do
  :: x = 1 - x
  od
}
