//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
// A plain sender meets an atomic receiver: after the handshake the receiver goes on
// to the end of its sequence without interruption.
chan q = [0] of { byte };
byte x;

active proctype s() {
  q!1;
  assert(x == 3)
}

active proctype r() {
  atomic { q?1; x = 1; x = 2; x = 3 }
}
