//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
// A conditional expression as a statement is a guard: it blocks while its value
// is zero.  The waiting process continues only after both flags are set.
byte a, b;

active proctype waiter() {
  (a -> b : 0);
  assert(a == 1 && b == 1)
}

active proctype setter() {
  b = 1;
  a = 1
}
