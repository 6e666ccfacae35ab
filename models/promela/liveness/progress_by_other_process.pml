//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 9
//@ check: --non-progress => violated
//@ check: --non-progress --fair weak => holds
// Only one of two makes progress; under weak fairness it gets its turns.
bit a, b;

active proctype idle() {
  do
  :: a = 1 - a
  od
}

active proctype busy() {
  do
  :: b = 1;
progress:
     b = 0
  od
}
