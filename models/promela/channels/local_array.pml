//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// An array of channels local to a process, one element of which is handed to a child.
byte got;

proctype child(chan c) {
  c?got
}

init {
  chan c[2] = [1] of { byte };
  run child(c[1]);
  c[0]!1;
  c[1]!2;
  (_nr_pr == 1);
  assert(got == 2 && full(c[0]) && empty(c[1]))
}
