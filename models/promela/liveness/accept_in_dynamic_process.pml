//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --acceptance => violated
// A child that stands at its accept label for ever.
bit x;

proctype child() {
accept:
  do
  :: x = 1 - x
  od
}

init {
  run child()
}
