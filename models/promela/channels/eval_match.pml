//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// eval(v) turns the value of a variable into a constant to match; the variable does
// not change.
chan q = [2] of { byte, byte };
byte want = 2, x;

active proctype main() {
  q!2, 20;
  q!3, 30;
  q?eval(want), x;
  assert(x == 20 && want == 2);
  assert(!q?[eval(want), x]);
  q?eval(want + 1), x;
  assert(x == 30)
}
