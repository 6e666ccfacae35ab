//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --never => violated
// One of two accepting loops is enough.
byte x;

never {
  do
  :: true
  :: x == 1 -> goto accept_one
  :: x == 2 -> goto accept_two
  od;
accept_one:
  do
  :: x == 1
  od;
accept_two:
  do
  :: x >= 2
  od
}

active proctype P() {
  do
  :: x == 0 -> x = 1
  :: x == 1 -> x = 2
  :: x == 2 -> x = 3
  :: x == 3 -> x = 2
  od
}
