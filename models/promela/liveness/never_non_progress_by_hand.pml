//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --never => violated
//@ check: --non-progress => violated
// np_ in a claim: the search for non-progress cycles, written by hand.
byte x;

never {
  do
  :: true
  :: np_ -> goto accept
  od;
accept:
  do
  :: np_
  od
}

active proctype P() {
  do
  :: x = 1;
progress:
     x = 0
  :: x = 2;
     x = 0
  od
}
