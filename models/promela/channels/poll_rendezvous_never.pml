//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A rendezvous channel never holds a message: len is 0, and it is empty, before and
// after a handshake.
chan q = [0] of { byte };

active proctype s() {
  q!1
}

active proctype r() {
  assert(len(q) == 0);
  q?1;
  assert(len(q) == 0)
}
