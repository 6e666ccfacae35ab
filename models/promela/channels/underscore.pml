//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// _ takes any value and stores it nowhere.
chan q = [2] of { byte, byte };
byte x;

active proctype main() {
  q!1, 5;
  q!2, 6;
  q?_, x;
  assert(x == 5);
  q?2, _;
  assert(x == 5 && empty(q))
}
