//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An mtype variable is stored in a byte.  Arithmetic on it is allowed and 256
// wraps to 0, the value no declared name has.
mtype = { red, green };
mtype m = green;

active proctype main() {
  assert(m != 0);
  m = m + 255;
  assert(m == green - 1);
  m = 256;
  assert(m == 0 && m != red && m != green)
}
