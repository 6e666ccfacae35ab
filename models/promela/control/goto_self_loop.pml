//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 2
// A loop that never changes anything is not a deadlock: the process can always take
// the step, which leads back to the same state.
byte x;

active proctype main() {
here:
  x = 0;
  goto here
}
