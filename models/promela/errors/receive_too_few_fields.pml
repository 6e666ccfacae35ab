//@ verdict: error
//@ error: q
//@ spin: no - SPIN accepts the model and reports "missing pars in receive" while it runs
// A message of two fields received into one variable.
chan q = [1] of { byte, byte };
byte x;

active proctype main() {
  q!1, 2;
  q?x
}
