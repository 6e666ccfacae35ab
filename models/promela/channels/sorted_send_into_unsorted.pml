//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// The channel is not in order.  A sorted send still goes in front of the first message
// that is larger, wherever that is.
chan q = [4] of { byte };

active proctype main() {
  byte a;
  q!5; q!1;
  q!!3;
  q?a; assert(a == 3);
  q?a; assert(a == 5);
  q?a; assert(a == 1)
}
