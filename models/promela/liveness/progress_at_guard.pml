//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --non-progress => holds, states 9
// A label in front of the loop stands for each of its turns.
byte x;

active proctype P() {
progress:
  do
  :: x < 2 -> x++
  :: x == 2 -> x = 0
  od
}
