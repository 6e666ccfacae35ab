//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --non-progress => violated
// Without any label each cycle is a non-progress cycle.
byte x;

active proctype P() {
  do
  :: x = (x + 1) % 3
  od
}
