//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// The bitwise operators on plain and negative numbers.
int a = 12, b = 10;

active proctype main() {
  assert((a & b) == 8);
  assert((a | b) == 14);
  assert((a ^ b) == 6);
  assert((~a & 15) == 3);
  assert((-1 & 255) == 255);
  assert((-1 ^ a) == ~a)
}
