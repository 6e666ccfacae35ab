//@ verdict: holds
//@ errors: 0
//@ states: 15
//@ transitions: 18
// A guard on a remote variable waits for a moment in which it holds.  The owner
// cannot be removed before the younger waiter, so the reference stays valid.
active proctype owner() {
  byte n;
  do
  :: n < 3 -> n++
  :: else -> break
  od
}

active proctype waiter() {
  (owner[0]:n == 3);
  assert(owner[0]:n == 3)
}
