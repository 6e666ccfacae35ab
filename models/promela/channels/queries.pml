//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// len, empty, nempty, full and nfull.
chan q = [2] of { byte };

active proctype main() {
  assert(len(q) == 0 && empty(q) && nfull(q));
  q!1;
  assert(len(q) == 1 && nempty(q) && nfull(q));
  q!2;
  assert(len(q) == 2 && full(q) && nempty(q))
}
