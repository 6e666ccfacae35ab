//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 14
// P:name without an index is allowed when there is only one instance.
active proctype owner() {
  byte n = 2;
  n = 4;
  n = 2
}

active proctype watch() {
  assert(owner:n == 2 || owner:n == 4)
}
