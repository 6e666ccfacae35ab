//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Nested conditionals; inside a part that is skipped, inner directives are only counted.
#define OUTER

byte x;

active proctype main() {
#ifdef OUTER
# ifndef INNER
  x = 1;
# else
  x = 2;
# endif
#else
# if this is not an expression
  x = 3;
# else
  x = 4;
# endif
#endif
  assert(x == 1)
}
