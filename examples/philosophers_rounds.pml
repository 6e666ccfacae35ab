//@ verdict: holds
//@ errors: 0
//@ states: 34
//@ transitions: 208
//@ atomic_steps: 794
//@ check: --ltl no_deadlock => violated
//@ check: --ltl no_starvation => violated
// Dining philosophers in rounds, symmetric and unfair, after R. Grosu and S. A. Smolka ("Monte Carlo
// Model Checking", 2005), whose model is made of reactive modules: in each round everybody moves once,
// and all see what the table was like when the round began.
//
//   thinking   goes on thinking, or asks for the stick on the right
//   waiting    holds the right stick and asks for the left one
//   eating     goes on eating, or puts both sticks down; they can be taken in the next round
//
// A stick that two ask for is given to one of them at random. All may take their right sticks and
// then wait for ever, and nothing is done against starvation: both formulas are violated.
//
// A round is one transition, an atomic sequence in which one after the other chooses, so a state has up
// to 2^N successors (more, with sticks that two want). A random walk does not mind: it makes one
// choice at a time, and N can be 1000. A search of all states does: there are 34 states for N=4, 1154
// for N=8, 39202 for N=12 (the Pell-Lucas numbers), but the transitions are many more. With -DSTEPWISE
// each choice is a transition: more states, two or three successors for each of them, and the same
// answers, because neither formula can tell. Try -DN=12 --search ndfs with and without -DSTEPWISE.

#ifndef N
#define N 4
#endif

#ifdef STEPWISE
#define ROUND                  /* only { }: others could come in between, but there are no others */
#else
#define ROUND atomic
#endif

bit right[N], left[N];         /* philosopher i holds the stick on that side */
short waiting;                 /* how many wait */

ltl no_deadlock { [] (waiting < N) }
ltl no_starvation { []<> left[0] }

#define THINKING 0             /* so many sticks in the hands */
#define WAITING 1
#define EATING 2

/* Goes round the table to the next philosopher who has a choice; the others do what they must. Those
   who wait have none, nor have those who think while the stick that they may want is in use. The way
   is to the right, from the last one to number 0: who comes next has not moved yet, except that he may
   have been given his left stick. That is why his old state is carried along. */
inline go_on()
{
  do
  :: seat > 0 ->
     seat--;
     me = neighbour;
     if
     :: seat > 0 -> neighbour = right[seat - 1] + left[seat - 1]
     :: else -> neighbour = last
     fi;
     if
     :: me == EATING || (me == THINKING && neighbour != EATING) -> break
     :: else
     fi
  :: else ->                   /* all the way round: nothing is kept until the next round */
     me = WAITING; neighbour = 0; last = 0; break
  od;
  skip                         /* SPIN does not like a d_step that ends with a loop */
}

/* What may happen to the stick between the one at the seat and the neighbour on the right, for whom it
   is the left one: */
inline take()
{
  right[seat] = 1; waiting++
}

inline leave_to_neighbour()
{
  left[(seat + N - 1) % N] = 1; waiting--
}

active proctype table()
{
  short seat;                  /* whose choice it is */
  unsigned me : 2 = WAITING;   /* what this one did before the round, */
  unsigned neighbour : 2;      /* the one on the right, */
  unsigned last : 2;           /* and the last one, who is on the right of number 0 */

  do
  :: ROUND {
       d_step { seat = N; last = right[N - 1] + left[N - 1]; neighbour = last; go_on() };
       do
       :: d_step { me == EATING -> go_on() }
       :: d_step { me == EATING -> right[seat] = 0; left[seat] = 0; go_on() }

       :: d_step { me == THINKING && neighbour == THINKING -> go_on() }
       :: d_step { me == THINKING && neighbour == THINKING -> take(); go_on() }

       :: d_step { me == THINKING && neighbour == WAITING -> leave_to_neighbour(); go_on() }
       :: atomic { me == THINKING && neighbour == WAITING ->      /* both want it */
            if
            :: d_step { take(); go_on() }
            :: d_step { leave_to_neighbour(); go_on() }
            fi
          }

       :: me == WAITING -> break        /* no more choices */
       od
     }
  od
}
