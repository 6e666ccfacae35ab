//@ verdict: holds
//@ errors: 0
//@ states: 31
//@ transitions: 51
// Each instance of a process creates its own local channel.
active [2] proctype p() {
  chan c = [1] of { byte };
  byte v;
  c!_pid;
  assert(full(c));
  c?v;
  assert(v == _pid)
}
