//@ verdict: holds
//@ errors: 0
//@ states: 38
//@ transitions: 64
// run is an expression whose value is the pid of the new process.
proctype child() {
  skip
}

init {
  pid p, q;
  p = run child();
  assert(p == 1);
  q = run child();
  assert(q == 1 || q == 2);
  assert(p != q || p == 1)
}
