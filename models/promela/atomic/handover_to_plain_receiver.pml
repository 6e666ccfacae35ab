//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 12
// The receiver is not atomic: after the handshake any process may go on.
chan q = [0] of { byte };
byte x;

active proctype p() {
  atomic { q!5; x = x + 1; x = x + 1 }
}

active proctype s() {
  byte v;
  q?v;
  x = x * 2
}
