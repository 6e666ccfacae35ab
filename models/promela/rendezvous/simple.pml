//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
// Send and receive on a channel of capacity 0 happen in one joint step.
chan q = [0] of { byte };
byte x;

active proctype s() {
  x = 1;
  q!5;
  assert(x == 1)
}

active proctype r() {
  byte v;
  q?v;
  assert(x == 1 && v == 5)
}
