//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 25
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => holds
// Under weak fairness the other process moves, and then the loop is over.
bool stop;
bit x;

active proctype P() {
  do
  :: !stop ->
accept:
     x = 1 - x
  :: stop -> break
  od
}

active proctype Q() {
  stop = true
}
