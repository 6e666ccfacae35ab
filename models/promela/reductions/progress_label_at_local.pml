//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
//@ check: --non-progress => holds, states 6
//@ check: --non-progress --fair weak => holds
// The only progress is made where a local step is taken.
bit g;

active proctype main() {
  bit a;
  do
  :: g = 1 - g;
progress:
     a = 1 - a
  od
}
