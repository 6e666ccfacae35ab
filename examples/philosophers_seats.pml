//@ verdict: holds
//@ errors: 0
//@ states: 1103
//@ transitions: 3217
//@ check: --ltl somebody_eats => holds
// Dining philosophers who sit down before they take their forks; there is a seat less than there are
// philosophers, so that one of those who sit can always eat (C. A. R. Hoare, "Communicating
// sequential processes", 1978). With -DFAULTY there is a seat for everyone, and they can all starve,
// each with a fork in the left hand. Among many of them (-DFAULTY -DCLAIM -DN=12) a nested depth-first
// search (--search ndfs) takes long to find that; one in a random order (--seed) may be lucky.

#ifndef N
#define N 4
#endif

#ifdef FAULTY
#define SEATS N
#else
#define SEATS (N - 1)
#endif

#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];                 /* the forks */
byte seated;                   /* how many philosophers are at the table */
byte EatingAny;                /* somebody has begun to eat, and nobody has stopped since */

active [N] proctype philosopher()
{
  do
  :: atomic { seated < SEATS -> seated++ };
     atomic { !taken[LEFT] -> taken[LEFT] = true };
     atomic { !taken[RIGHT] -> taken[RIGHT] = true };
     EatingAny = 1;
     EatingAny = 0;
     taken[LEFT] = false;
     taken[RIGHT] = false;
     seated--
  od
}

#ifdef CLAIM
never {                        /* the same property: it first guesses that nobody will eat */
search:
  if
  :: EatingAny != 1 -> goto accept_hungry
  :: true -> goto search
  fi;
accept_hungry:
  if
  :: EatingAny != 1 -> goto accept_hungry
  fi
}
#else
ltl somebody_eats { []<> (EatingAny == 1) }
#endif
