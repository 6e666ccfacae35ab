//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Text in a part that is skipped need not be Promela at all.
byte x;

#ifdef NOT_DEFINED_ANYWHERE
this is :: not { a model
#endif

#if 0
#define X 5
#endif

#ifndef X
#define X 6
#endif

active proctype main() {
  x = X;
  assert(x == 6)
}
