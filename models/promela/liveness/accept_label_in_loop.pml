//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --acceptance => violated
// A loop through an accept label.
byte x;

active proctype P() {
  do
  :: x = 1;
accept:
     x = 0
  od
}
