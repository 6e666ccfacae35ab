//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A channel variable holds a number that identifies the channel: copies are equal,
// different channels differ, and an unset variable is 0.
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c;

active proctype main() {
  assert(a != b && c == 0 && a != 0);
  c = a;
  assert(c == a && c != b);
  c!5;
  assert(full(a) && empty(b));
  c = b;
  assert(empty(c));
  a?5
}
