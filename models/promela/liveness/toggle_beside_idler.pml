//@ verdict: holds
//@ states: 4
//@ check: --ltl settles => violated
// One process changes x for ever, another one goes around by itself. A partial order reduction may
// leave the first one aside in a state only if it does not do so all the way around the loop of the other. A search
// that remembers in the table of states which of them it has expanded in full, and forgets states, can be misled in its
// nested part: it must not depend on that (L. Brim, I. Cerna and M. Necesal, 2001, did not see it).

bit x;

active proctype toggle()
{
  byte mine;
  do
  :: x = 1 - x;
     mine = mine
  od
}

active proctype idle()
{
  byte mine;
  do
  :: mine = mine
  od
}

ltl settles { <>[] (x == 1) || <>[] (x == 0) }
