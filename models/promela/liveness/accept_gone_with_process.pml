//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 9
//@ check: --acceptance => holds, states 6
// A child that ends takes its accept label with it.
bit x;

proctype child() {
accept:
  x = 1
}

init {
  run child();
  x == 1;
  do
  :: x = 1
  od
}
