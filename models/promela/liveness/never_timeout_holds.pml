//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --never => holds, states 2
// A system that can always move has no timeout.
bool a;

never {
  do
  :: !timeout
  :: timeout -> break
  od
}

active proctype P() {
  do
  :: a = !a
  od
}
