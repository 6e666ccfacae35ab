//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A negative constant can be matched in a signed field.
chan q = [1] of { short };

active proctype main() {
  q!-5;
  assert(q?[-5]);
  q?-5
}
