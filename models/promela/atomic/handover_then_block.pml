//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 20
// The atomic receiver gets control by the handshake, then blocks; the sender and the third
// process can go on from there.
chan q = [0] of { byte };
byte x;

active proctype p() {
  atomic { q!1; x = 1; x = 2 }
}

active proctype r() {
  atomic { q?1; x == 2; x = 3 }
}

active proctype t() {
  assert(x != 1)
}
