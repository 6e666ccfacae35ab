//@ verdict: violated
//@ errors: 1
//@ states: 5
//@ transitions: 5
//@ violation: invalid end state
// A non-zero constant is an executable statement, zero blocks for ever.  The
// process gets past 1, true, skip and -1, and stops for good at 0: deadlock.
active proctype main() {
  1;
  true;
  skip;
  -1;
  0;
  assert(false)
}
