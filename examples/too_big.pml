//@ verdict: holds
//@ errors: 0
//@ states: 8000
//@ transitions: 24001
//@ args: -DN=3
// Counters that have nothing to do with each other: N of them have 20 to the power of N states.
// N = 3 is quickly done; the default, with 20 to the power of 12, is too big on purpose and shows
// what happens when a search runs out of memory or time: --memory 200M, --time 10s.

#ifndef N
#define N 12
#endif

byte counter[N];

active [N] proctype count()
{
  do
  :: counter[_pid] = (counter[_pid] + 1) % 20
  od
}
