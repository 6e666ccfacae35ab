//@ verdict: error
//@ error: q
//@ spin: no - SPIN accepts the model and reports "too few parameters in send stmnt" while it runs
// A message of two fields sent with one value.
chan q = [1] of { byte, byte };
byte x, y;

active proctype main() {
  q!1;
  q?x, y
}
