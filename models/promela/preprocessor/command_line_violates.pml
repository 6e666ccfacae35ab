//@ verdict: violated
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
