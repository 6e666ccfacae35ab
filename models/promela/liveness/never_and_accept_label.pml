//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --never => violated
//@ check: --acceptance => violated
// Accept labels of processes count beside those of the claim: here the claim has none.
byte x;

never {
  do
  :: x < 2
  od
}

active proctype P() {
  do
  :: x = 1;
accept:
     x = 0
  od
}
