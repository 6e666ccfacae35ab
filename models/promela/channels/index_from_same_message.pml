//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// The fields are stored from left to right, so the index in the second field already
// sees the value received into i by the first.
chan q = [1] of { byte, byte };
byte i, a[3];

active proctype main() {
  q!2, 7;
  q?i, a[i];
  assert(i == 2);
  assert(a[2] == 7 && a[0] == 0)
}
