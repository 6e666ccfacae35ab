//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// ?<> copies the first message without removing it.
chan q = [2] of { byte, byte };
byte a, b;

active proctype main() {
  q!4, 5;
  q!6, 7;
  q?<a, b>;
  assert(a == 4 && b == 5 && len(q) == 2);
  q?<4, b>;
  assert(len(q) == 2);
  q?a, b;
  q?<a, _>;
  assert(a == 6 && len(q) == 1)
}
