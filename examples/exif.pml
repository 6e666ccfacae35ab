//@ verdict: holds
//@ errors: 0
//@ states: 2703
//@ transitions: 3928
//@ args: -DSTEPS=50 -DDIFF=20
//@ noclaim: the facts are those of the program alone
//@ check: --never => violated
// The program ExIF of L. Brim, I. Cerna and M. Necesal ("Randomization helps in LTL model checking",
// 2001): a thousand times it adds one or two to a counter. The claim looks for a run in which the
// counter comes to 2000 - DIFF. A search that always tries the first option first sees (with L for
// 1000 - DIFF) L * L + 2 * L + 2002 states before it finds one; with the options swapped (-DSWAP),
// or in a random order (--seed), it is much faster. With -DSECOND the claim looks for the sum 1500 at
// the end, for which no order of the options is good. Try --never --search ndfs -DDIFF=200.

#ifndef STEPS
#define STEPS 1000
#endif
#ifndef DIFF
#define DIFF 400
#endif

short MainCounter, StepCounter;

inline count(amount)
{
  atomic { MainCounter = MainCounter + amount; StepCounter++ }
}

active proctype ExIF()
{
  do
  :: StepCounter < STEPS ->
     if
#ifdef SWAP
     :: count(2)
     :: count(1)
#else
     :: count(1)
     :: count(2)
#endif
     fi
  :: else -> break
  od
}

#ifdef SECOND
#define found (StepCounter >= STEPS && 2 * MainCounter == 3 * STEPS)
#else
#define found (MainCounter >= 2 * STEPS - DIFF)
#endif

never {
search:
  if
  :: found -> goto accept_all
  :: true -> goto search
  fi;
accept_all:
  skip
}
