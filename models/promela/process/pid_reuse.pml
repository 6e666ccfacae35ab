//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 21
// Once a process has been removed, the next one gets its pid again.
byte last;

proctype child() {
  last = _pid
}

init {
  pid p;
  p = run child();
  assert(p == 1);
  (_nr_pr == 1);
  p = run child();
  assert(p == 1);
  (_nr_pr == 1);
  assert(last == 1)
}
