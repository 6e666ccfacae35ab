//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 15
// The value sent is computed at the moment of the handshake.
chan q = [0] of { byte };
byte x = 1;

active proctype s() {
  q!x * 2
}

active proctype changer() {
  x = 5
}

active proctype r() {
  byte v;
  q?v;
  assert(v == 2 || v == 10)
}
