//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --never => violated
// else is the only way on while the system stands still.
byte x;

never {
  do
  :: x == 0
  :: x == 1
  :: else -> goto accept
  od;
accept:
  do
  :: x == 0 -> goto accept
  :: else
  od
}

active proctype P() {
  x = 1;
  x = 2
}
