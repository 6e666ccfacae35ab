//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// With variables only, ?? matches the oldest message and there is no choice.
chan q = [3] of { byte };
byte x;

active proctype main() {
  q!7; q!8; q!9;
  q??x;
  assert(x == 7);
  q??eval(x + 2);
  q??x;
  assert(x == 8)
}
