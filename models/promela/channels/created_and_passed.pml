//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 16
// A process creates a channel and hands it to two children, which talk over it.
byte got;

proctype writer(chan c) {
  c!6
}

proctype reader(chan c) {
  c?got
}

init {
  chan c = [1] of { byte };
  run writer(c);
  run reader(c);
  (_nr_pr == 1);
  assert(got == 6)
}
