//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Initial values are truncated exactly like assigned values.
bit b = 2;
bool f = 5;
byte y = 257;
short s = 65537;

active proctype main() {
  bit lb = 7;
  byte ly = -2;
  assert(b == 0 && f == 1 && y == 1 && s == 1);
  assert(lb == 1 && ly == 254)
}
