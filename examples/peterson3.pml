//@ verdict: holds
//@ errors: 0
//@ states: 458
//@ transitions: 885
//@ args: -DN=2
//@ check: --ltl exclusion => holds
// Peterson's algorithm for N processes (G. L. Peterson, "Myths about the mutual exclusion problem",
// 1981): a process climbs N - 1 levels. On each it lets those pass who are there already: it waits
// until nobody else is as far as it is, or somebody came to its level later.

#ifndef N
#define N 3
#endif

byte level[N];                 /* how far a process has come; 0 is outside */
byte last[N];                  /* who came last to a level */
byte ncrit;                    /* how many are in the critical section */

ltl exclusion { [] (ncrit < 2) }

active [N] proctype user()
{
  byte my, other;

  do
  :: my = 1;
     do
     :: my < N ->
        level[_pid] = my;
        last[my] = _pid;
        other = 0;
        do
        :: other < N ->
           (other == _pid || level[other] < my || last[my] != _pid);
           other++
        :: else -> break
        od;
        my++
     :: else -> break
     od;
     ncrit++;
     ncrit--;
     level[_pid] = 0
  od
}
