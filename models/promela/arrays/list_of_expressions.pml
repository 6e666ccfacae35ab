//@ verdict: error
// The list may hold expressions over constants and earlier variables.
#define K 4
byte base = 3;
byte a[3] = { K, K * 2, K - 1 };

active proctype main() {
  byte b[2] = { base, base + a[0] };
  assert(a[0] == 4 && a[1] == 8 && a[2] == 3);
  assert(b[0] == 3 && b[1] == 7)
}
