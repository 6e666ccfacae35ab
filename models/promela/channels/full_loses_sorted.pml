//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
//@ args: -m
// Under message loss a sorted send to a full channel is lost as well.
chan q = [2] of { byte };

active proctype main() {
  q!!5; q!!7;
  q!!1;
  assert(len(q) == 2);
  q?5;
  q?7
}
