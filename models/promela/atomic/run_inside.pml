//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 13
// The children are created together: each sees both its brother and the parent.
byte n;

proctype child() {
  n++
}

init {
  atomic {
    run child();
    run child();
    assert(n == 0 && _nr_pr == 3)
  }
  (_nr_pr == 1);
  assert(n == 2)
}
