//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// An argument may be an expression.  It is inserted as text without parentheses, so
// 2 + 3 times 2 gives 2 + 3 * 2.
inline double(out, v) {
  out = v * 2
}

byte x;

active proctype main() {
  double(x, 4);
  assert(x == 8);
  double(x, 2 + 3);
  assert(x == 8);
  double(x, (2 + 3));
  assert(x == 10)
}
