//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// ?? takes the first message that matches, wherever it stands; the others keep
// their order.
chan q = [4] of { byte, byte };
byte x;

active proctype main() {
  q!1, 10; q!2, 20; q!3, 30; q!2, 21;
  q??2, x;
  assert(x == 20 && len(q) == 3);
  q??2, x;
  assert(x == 21);
  q?1, x;
  q?3, x;
  assert(x == 30)
}
