//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => violated
// The only accepting location is one of a local step.
bit g;

active proctype main() {
  bit a;
  do
  :: g = 1 - g;
accept:
     a = 1 - a
  od
}
