//@ verdict: violated
//@ errors: 1
//@ states: 4
//@ transitions: 4
//@ violation: assertion
//@ args: -DBUG
// The option switches the mistake on.
byte x;

active proctype main() {
#ifdef BUG
  x = 2;
#else
  x = 1;
#endif
  assert(x == 1)
}
