//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// pid is a byte by another name: 256 wraps to 0.
pid p;

active proctype main() {
  p = _pid;
  assert(p == 0);
  p = 256 + 7;
  assert(p == 7);
  p = -1;
  assert(p == 255)
}
