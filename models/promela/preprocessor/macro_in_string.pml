//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Macro names inside strings, in comments and as part of longer names are left alone.
#define N 7
byte NN = 1, aN = 2; /* N here */

active proctype main() {
  printf("N is %d\n", N); // N there
  assert(NN + aN + N == 10)
}
