//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// The field is wide enough here, but the receiving variable is not: the value is
// truncated once more when it is stored.
chan q = [3] of { int };
byte b;
bit t;
short s;

active proctype main() {
  q!1000; q!1002; q!100000;
  q?b;
  assert(b == 232);
  q?t;
  assert(t == 0);
  q?s;
  assert(s == -31072)
}
