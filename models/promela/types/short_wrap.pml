//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// short is a signed sixteen-bit number: 32767 + 1 is -32768.
short s = 32767;

active proctype main() {
  s++;
  assert(s == -32768);
  s--;
  assert(s == 32767);
  s = 65535;
  assert(s == -1);
  s = -32769;
  assert(s == 32767)
}
