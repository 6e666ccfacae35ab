//@ verdict: holds
//@ errors: 0
//@ states: 23
//@ transitions: 32
// The initialising step of a late declaration is an ordinary step that can interleave:
// between seen = 1 and the reading of g, the other process may or may not have run.
byte g, seen;

active proctype reader() {
  seen = 1;
  byte copy = g;
  seen = 2 + copy;
  assert(seen == 2 || seen == 9)
}

active proctype writer() {
  g = 7
}
