//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 8
// A channel is passed through a handshake and used for the next one.
chan q = [0] of { chan };

active proctype a() {
  chan mine = [0] of { byte };
  byte v;
  q!mine;
  mine?v;
  assert(v == 8)
}

active proctype b() {
  chan got;
  q?got;
  got!8
}
