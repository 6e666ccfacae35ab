//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 11
//@ check: --never => violated
// A claim with choices: some value appears twice in a row.
byte x;

never {
  do
  :: true
  :: if
     :: x == 1 -> x == 1
     :: x == 2 -> x == 2
     fi;
     break
  od
}

active proctype P() {
  bit half;

  do
  :: x = 1;
     x = 0
  :: x = 2;
     half = 1 - half;
     x = 0
  od
}
