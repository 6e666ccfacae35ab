//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 6
//@ check: --never => holds, states 4
// else in a claim as the way back: no two steps in a row with x == 2.
byte x;

never {
wait:
  do
  :: x == 2 -> break
  :: else
  od;
  if
  :: x == 2
  :: else -> goto wait
  fi
}

active proctype P() {
  do
  :: x = 2;
     x = 0
  :: x = 1
  od
}
