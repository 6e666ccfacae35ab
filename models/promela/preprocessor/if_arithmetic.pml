//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// #if with arithmetic, comparison, logic, defined and unknown names (which count as 0).
#define N 3

#if N * 2 == 6 && !defined(M)
byte x = 1;
#else
byte x = 2;
#endif

#if UNKNOWN || (N > 5)
byte y = 1;
#elif N >= 3
byte y = 2;
#elif N >= 2
byte y = 3;
#else
byte y = 4;
#endif

active proctype main() {
  assert(x == 1 && y == 2)
}
