//@ verdict: holds
//@ errors: 0
//@ states: 91
//@ transitions: 213
// Active instances, init and started processes together; the pid shows the order of creation.
byte log;

active [2] proctype a() {
  assert(_pid <= 1)
}

proctype b(byte expected) {
  assert(_pid >= expected);
  log++
}

init {
  assert(_pid == 2);
  run b(3);
  run b(3);
  (_nr_pr == 3);
  assert(log == 2)
}
