//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ args: -DSLOW -USLOW
// -U after -D removes the definition again.
byte x;

active proctype main() {
#ifdef SLOW
  x = 1; x = 2; x = 3;
#endif
  assert(x == 0)
}
