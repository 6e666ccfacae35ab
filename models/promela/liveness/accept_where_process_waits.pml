//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => violated
// A process that waits at its accept label while another one runs round.
bit x;

active proctype P() {
accept:
  x == 2
}

active proctype Q() {
  do
  :: x = 1 - x
  od
}
