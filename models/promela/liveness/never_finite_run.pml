//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
//@ check: --never => holds, states 10
// A claim about the end of a finite run: the last value is not 1.
byte x;

never {
  do
  :: true
  :: x == 1 -> goto accept
  od;
accept:
  do
  :: x == 1
  od
}

active proctype P() {
  x = 1;
  if
  :: x = 2
  :: x = 1; x = 3
  fi
}
