//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 14
// P[pid]:name reads a local variable of another process.
active proctype owner() {
  byte n = 3;
  n = 5;
  n = 3
}

active proctype watch() {
  assert(owner[0]:n == 3 || owner[0]:n == 5)
}
