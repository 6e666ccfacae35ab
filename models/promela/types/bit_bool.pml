//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// bit and bool hold one bit: 2 is stored as 0 and 3 as 1.  A bool is not a
// "non-zero means true" type, so assigning 2 to it makes it false.
bit b;
bool f;

active proctype main() {
  b = 2; f = 2;
  assert(!b && !f);
  b = 3; f = -1;
  assert(b && f && b == 1 && f == true);
  b++;
  assert(b == 0);
  f--;
  assert(f == 0);
  f--;
  assert(f == 1)
}
