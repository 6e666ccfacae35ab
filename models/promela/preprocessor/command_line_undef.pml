//@ verdict: holds
//@ args: -DSLOW -USLOW
// -U after -D removes the definition again.
byte x;

active proctype main() {
#ifdef SLOW
  x = 1; x = 2; x = 3;
#endif
  assert(x == 0)
}
