//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A quirk of SPIN like that of bit arrays: when a bool or bit is the only field of a
// channel, it is stored in a whole byte and keeps the value 6.  Beside another field it
// keeps one bit.
chan single = [1] of { bool };
chan pair = [1] of { bool, byte };
byte x, y;

active proctype main() {
  single!6;
  single?x;
  assert(x == 6);
  pair!6, 6;
  pair?x, y;
  assert(x == 0 && y == 6)
}
