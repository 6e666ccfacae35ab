//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Shifts work on signed 32-bit numbers: the right shift of a negative number keeps
// the sign, and a left shift may reach the sign bit.
int one = 1, m = -8, n = 31;

active proctype main() {
  assert(one << 4 == 16);
  assert(m >> 1 == -4);
  assert(m >> 3 == -1);
  assert((one << n) < 0);
  assert(256 >> 4 << 1 == 32);
  assert(one << 1 + 2 == 8)
}
