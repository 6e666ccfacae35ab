//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 8
//@ check: --acceptance => holds, states 4
// An accept label that is passed once and never again.
byte x;

active proctype P() {
accept:
  x = 1;
  do
  :: x = 2
  :: x = 3
  od
}
