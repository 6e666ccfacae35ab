//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
//@ check: --never => violated
// else in a claim: none of the other guards is true.
byte x;

never {
  do
  :: x == 0
  :: x == 1
  :: else -> break
  od
}

active proctype P() {
  x = 1;
  x = 0;
  x = 2
}
