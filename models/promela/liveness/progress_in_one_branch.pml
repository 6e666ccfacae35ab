//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --non-progress => violated
// One way round has no label.
byte x;

active proctype P() {
  do
  :: x = 1;
progress:
     x = 0
  :: x = 2;
     x = 0
  od
}
