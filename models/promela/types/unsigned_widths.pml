//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 12
// unsigned x : n keeps n bits, and n need not be a machine width.
unsigned u1 : 1 = 3;
unsigned u3 : 3 = 9;
unsigned u5 : 5;
unsigned u12 : 12 = 4097;

active proctype main() {
  assert(u1 == 1 && u3 == 1 && u12 == 1);
  u5 = 31;
  u5++;
  assert(u5 == 0);
  u5--;
  assert(u5 == 31);
  u3 = -1;
  assert(u3 == 7);
  u12 = 8191;
  assert(u12 == 4095)
}
