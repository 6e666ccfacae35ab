//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --never => violated
// The usual end of a translated formula: an accepting state that takes everything.
byte x;

never {
T0_init:
  do
  :: x == 2 -> goto accept_all
  :: true
  od;
accept_all:
  skip
}

active proctype P() {
  do
  :: x = (x + 1) % 3
  od
}
