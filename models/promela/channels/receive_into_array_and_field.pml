//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Receiving into an array element and a record field.
typedef rec { byte f };
chan q = [1] of { byte, byte };
byte a[2];
rec r;
byte i = 1;

active proctype main() {
  q!8, 9;
  q?a[i], r.f;
  assert(a[1] == 8 && a[0] == 0 && r.f == 9)
}
