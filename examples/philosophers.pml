//@ verdict: violated
//@ errors: 1
//@ states: 35
//@ transitions: 76
//@ violation: invalid end state
// Dining philosophers (E. W. Dijkstra, 1965): each takes the fork on the left, then the one on the
// right. If all have taken their left fork, nobody can go on: a deadlock. With -DFIXED the last one
// begins on the other side, which breaks the circle.

#ifndef N
#define N 3
#endif

bool taken[N];                 /* the forks */

active [N] proctype philosopher()
{
  byte first = _pid, second = (_pid + 1) % N;

#ifdef FIXED
  if
  :: _pid == N - 1 -> first = 0; second = _pid
  :: else
  fi;
#endif
  do
  :: atomic { !taken[first] -> taken[first] = true };
     atomic { !taken[second] -> taken[second] = true };
     /* eats */
     taken[second] = false;
     taken[first] = false
  od
}
