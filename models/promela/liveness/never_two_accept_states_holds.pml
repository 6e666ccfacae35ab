//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --never => holds, states 10
// Two accepting loops, and runs that leave both again and again.
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
  :: x == 2
  od
}

active proctype P() {
  do
  :: x < 2 -> x++
  :: x == 2 -> x = 0
  od
}
