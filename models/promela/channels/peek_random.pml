//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// ??<> copies the first matching message without removing it.
chan q = [3] of { byte, byte };
byte b;

active proctype main() {
  q!1, 10; q!2, 20; q!2, 21;
  q??<2, b>;
  assert(b == 20 && len(q) == 3);
  q?1, b;
  assert(b == 10)
}
