//@ verdict: holds
//@ errors: 0
//@ states: 206
//@ transitions: 517
//@ atomic_steps: 1858
//@ check: --ltl no_deadlock => holds
//@ check: --ltl no_starvation => holds
// Dining philosophers in rounds once more (see philosophers_rounds.pml), asymmetric and fair, after
// R. Grosu and S. A. Smolka ("Monte Carlo Model Checking", 2005). Nobody waits in a circle, because the
// odd ones begin with the stick on the left. Nobody starves, because of three things together:
//
//   a stick that two ask for goes to the one who did not have it last   (without it: -DNO_PRIORITY)
//   who is hungry stays hungry, and asks again in the next round        (without it: -DFORGETFUL)
//   each in turn is forced to leave off thinking or eating              (without it: -DNO_TURN)
//
// Leave out any of them, and no_starvation is violated.
//
// A round is one transition, an atomic sequence: first all choose, one after the other, then the sticks
// are given out. There are 206 states for N=4, 5231 for N=6 and 113848 for N=8, each with up to 2^N
// successors, and a search of all of them soon comes to its end. A random walk takes one successor
// and remembers only where it has been, though it takes exponentially longer, too, until it comes to a
// place for the second time. N must be even, and at most 254.

#ifndef N
#define N 4
#endif

bit first[N], second[N];       /* philosopher i holds the stick with which he begins; the other one */
bit wants[N];                  /* is hungry; or, if eating, has had enough */
bit owed[N];                   /* who goes first if two want stick k: 0 is philosopher k-1, 1 is k */
byte turn;                     /* who is forced in this round */
byte waiting;                  /* how many have only one stick */

ltl no_deadlock { [] (waiting < N) }
ltl no_starvation { []<> second[0] }

#ifdef MONITOR
/* no_starvation once more, for random walks. The automaton of the formula is stuck when number 0 eats after
   it has guessed that he never will again, and the walk ends there. This one goes on to a cycle. */
never
{
hope:
  do
  :: true
  :: !second[0] -> goto accept_starving
  od;
accept_starving:
  do
  :: !second[0]
  :: second[0] -> break
  od;
wrong:
  do
  :: true
  od
}
#endif

/* Stick k lies between philosophers k-1 and k. The even sticks are the first ones for both, the odd ones
   the second ones for both: that is the whole secret of the asymmetric solution. */
#define before(k) ((k + N - 1) % N)

/* Goes on to the next philosopher who may choose: one who thinks or eats, whose turn it is not. */
inline go_on()
{
  do
  :: seat > 0 ->
     seat--;
     if
     :: first[seat] == second[seat] && !wants[seat] ->
#ifndef NO_TURN
        if
        :: seat == turn -> wants[seat] = 1
        :: else -> choice = 1; break
        fi
#else
        choice = 1; break
#endif
     :: else
     fi
  :: else -> break
  od;
  skip                         /* SPIN does not like a d_step that ends with a loop */
}

inline give_first(i)
{
  first[i] = 1; wants[i] = 0; waiting++
}

inline give_second(i)
{
  second[i] = 1; waiting--
}

inline leave_if_full(i)
{
  if
  :: second[i] && wants[i] -> first[i] = 0; second[i] = 0; wants[i] = 0
  :: else
  fi
}

inline now_owed(k, whom)
{
#ifndef NO_PRIORITY
  owed[k] = whom
#else
  skip
#endif
}

/* Gives out the sticks, as it was asked for. What somebody puts down is given out in the next round:
   the second sticks come first, and who has had enough leaves only when both were looked at. */
inline give_out()
{
  for (k : 1 .. N / 2) {
    b = 2 * k - 1; a = b - 1;
    if
    :: second[a] || second[b]
    :: else ->
       if
       :: first[a] && !(first[b] && owed[b]) -> give_second(a); now_owed(b, 1)
       :: first[b] && !(first[a] && !owed[b]) -> give_second(b); now_owed(b, 0)
       :: else
       fi
    fi
  }
  for (k : 1 .. N / 2) {
    b = 2 * k - 2; a = before(b);
    if
    :: first[a] || first[b] -> leave_if_full(a); leave_if_full(b)
    :: else ->
       if
       :: wants[a] && !(wants[b] && owed[b]) -> give_first(a); now_owed(b, 1)
       :: wants[b] && !(wants[a] && !owed[b]) -> give_first(b); now_owed(b, 0)
       :: else
       fi
    fi;
#ifdef FORGETFUL
    wants[a] = 0; wants[b] = 0
#endif
  }
}

active proctype table()
{
  byte seat;                   /* who chooses */
  bit choice;                  /* there is one */
  byte k, a, b;                /* a stick, and who sits before and behind it */

  do
  :: atomic {
       d_step { seat = N; go_on() };
       do
       :: d_step { choice -> choice = 0; go_on() }
       :: d_step { choice -> choice = 0; wants[seat] = 1; go_on() }
       :: d_step { !choice -> give_out(); turn = (turn + 1) % N; k = 0; a = 0; b = 0 } -> break
       od
     }
  od
}
