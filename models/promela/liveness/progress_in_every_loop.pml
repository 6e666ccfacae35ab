//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --non-progress => holds, states 5
//@ check: --non-progress --fair weak => holds
// Each way round the loop passes a progress label.
byte x;

active proctype P() {
  do
  :: x = 1;
progress_a:
     x = 0
  :: x = 2;
progress_b:
     x = 0
  od
}
