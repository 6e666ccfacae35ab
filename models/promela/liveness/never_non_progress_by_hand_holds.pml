//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --never => holds, states 5
//@ check: --non-progress => holds, states 5
// The same, where each way round makes progress.
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
progress_one:
     x = 0
  :: x = 2;
progress_two:
     x = 0
  od
}
