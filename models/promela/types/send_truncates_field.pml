//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A value is truncated to the declared type of the message field when it is
// sent; the wide receiving variable cannot get the lost bits back.
chan q = [2] of { byte, bit, short };
int a, b, c;

active proctype main() {
  q!300, 2, 65536;
  q!-1, 3, 40000;
  q?a, b, c;
  assert(a == 44 && b == 0 && c == 0);
  q?a, b, c;
  assert(a == 255 && b == 1 && c == -25536)
}
