//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
//@ check: --non-progress => holds, states 17
// A run that ends is no non-progress cycle, with or without labels.
byte x;

active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
  od
}
