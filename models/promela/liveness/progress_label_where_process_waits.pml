//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --non-progress => holds, states 2
// A process that stands at its progress label makes every state a state of progress.
bit a;

active proctype idle() {
  do
  :: a = 1 - a
  od
}

active proctype waiting() {
progress:
  a == 2
}
