//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 24
// Messages leave a channel in the order in which they came in.
chan q = [3] of { byte };

active proctype sender() {
  q!1; q!2; q!3
}

active proctype receiver() {
  byte v;
  q?v; assert(v == 1);
  q?v; assert(v == 2);
  q?v; assert(v == 3)
}
