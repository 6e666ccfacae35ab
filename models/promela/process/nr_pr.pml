//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 13
// _nr_pr counts the processes that exist, dead but not yet removed ones included.
proctype child() {
  assert(_nr_pr == 2)
}

init {
  assert(_nr_pr == 1);
  run child();
  assert(_nr_pr == 1 || _nr_pr == 2);
  (_nr_pr == 1);
  assert(_nr_pr == 1)
}
