//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// ?[] and ??[] ask whether the receive would be executable and change nothing.
chan q = [2] of { byte, byte };
byte x = 3;

active proctype main() {
  assert(!q?[1, x]);
  q!1, 5;
  q!2, 6;
  assert(q?[1, x] && !q?[2, x]);
  assert(q??[2, x] && !q??[3, x]);
  assert(q??[2, 6] && !q??[2, 5]);
  assert(x == 3 && len(q) == 2)
}
