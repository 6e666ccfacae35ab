//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// The constant in a receive is compared with the stored (truncated) field value.
// 300 was stored as 44, so ?[300] can never match while ?[44] does.
chan q = [1] of { byte };

active proctype main() {
  q!300;
  assert(!q?[300]);
  assert(q?[44]);
  q?44
}
