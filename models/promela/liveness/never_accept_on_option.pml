//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --never => violated
// An accept label at a choice inside a loop of the claim.
byte x;

never {
  do
  :: true ->
accept:
     if
     :: x == 1
     :: x == 2
     fi
  :: x == 0
  od
}

active proctype P() {
  do
  :: x = 1;
     x = 2;
     x = 0
  od
}
