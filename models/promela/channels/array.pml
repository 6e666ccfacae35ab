//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// An array of channels: every element is a channel of its own.
chan q[3] = [1] of { byte };
byte x;

active proctype main() {
  byte i;
  q[0]!10;
  q[2]!12;
  assert(full(q[0]) && empty(q[1]) && full(q[2]));
  i = 2;
  q[i]?x;
  assert(x == 12);
  q[i - 2]?x;
  assert(x == 10)
}
