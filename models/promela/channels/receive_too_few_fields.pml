//@ verdict: violated
//@ errors: 1
//@ violation: runtime error
// A message of two fields received into one variable: an error when it happens; the other field
// is thrown away.
chan q = [1] of { byte, byte };
byte x;

active proctype main() {
  q!1, 2;
  q?x
}
