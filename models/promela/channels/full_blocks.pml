//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// A send to a full channel blocks; no process receives, so the process is stuck.
chan q = [1] of { byte };

active proctype main() {
  q!1;
  q!2;
  assert(false)
}
