//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
//@ args: -m
// With -m a send to a full channel is executable and the message is lost.
chan q = [1] of { byte };

active proctype main() {
  byte v;
  q!1;
  q!2;
  q!3;
  assert(len(q) == 1);
  q?v;
  assert(v == 1 && empty(q))
}
