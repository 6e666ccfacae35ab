//@ verdict: violated
//@ errors: 1
//@ violation: runtime error
// A message of two fields sent with one value: an error when it happens; the missing field is
// zero.
chan q = [1] of { byte, byte };
byte x, y;

active proctype main() {
  q!1;
  q?x, y
}
