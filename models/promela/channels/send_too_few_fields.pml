//@ verdict: violated
//@ errors: 1
//@ states: 5
//@ transitions: 5
//@ violation: too few parameters in send stmnt
// A send that names fewer fields than the message has: the missing ones are 0.
chan q = [1] of { byte, byte };
byte x, y = 9;

active proctype main() {
  q!5;
  q?x, y;
  assert(x == 5 && y == 0)
}
