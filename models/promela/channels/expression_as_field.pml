//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// Any expression may be sent, also a conditional one, a comparison or len of the channel.
chan q = [3] of { byte, bool };
byte a, i = 4;
bool b;

active proctype main() {
  q!i * 2 + 1, i > 3;
  q!(i == 4 -> 7 : 8), false;
  q!len(q), true;
  q?a, b; assert(a == 9 && b);
  q?a, b; assert(a == 7 && !b);
  q?a, b; assert(a == 2 && b)
}
