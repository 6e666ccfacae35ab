//@ verdict: holds
//@ errors: 0
//@ states: 329
//@ transitions: 631
//@ args: -DN=2
//@ check: --ltl exclusion => holds
// Peterson's algorithm for N processes (G. L. Peterson, "Myths about the mutual exclusion problem",
// 1981): a process climbs N - 1 levels. On each it lets those pass who are there already: it waits
// until nobody else is as far as it is, or somebody came to its level later. With -DLOCAL_FIRST a
// process that can take a step of its own takes it before anybody else moves. Nobody can tell the
// difference, but there are fewer states: this is what partial order reduction is about.

#ifndef N
#define N 3
#endif

byte level[N];                 /* how far a process has come; 0 is outside */
byte last[N];                  /* who came last to a level */
byte ncrit;                    /* how many are in the critical section */

#ifdef LOCAL_FIRST
byte busy;                     /* 1 + the process that takes a step of its own, or 0 */
#define AND_BUSY ; busy = _pid + 1
#define AND_DONE ; busy = 0
#define IN_TURN provided (busy == 0 || busy == _pid + 1)
#else
#define AND_BUSY
#define AND_DONE
#define IN_TURN
#endif

#define PASSES (other == _pid || level[other] < my || last[my] != _pid)

ltl exclusion { [] (ncrit < 2) }

active [N] proctype user() IN_TURN
{
  byte my = 1, other;

  do
  :: my < N ->
     level[_pid] = my;
     atomic { last[my] = _pid AND_BUSY };
     atomic { other = 0 AND_DONE };
     do
     :: atomic { other < N && PASSES -> skip AND_BUSY };
        atomic { other++ AND_DONE }
     :: other >= N -> break
     od;
     my++
  :: my >= N ->
     ncrit++;
     ncrit--;
     atomic { level[_pid] = 0 AND_BUSY };
     atomic { my = 1 AND_DONE }
  od
}
