//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl answered => holds
//@ check: --ltl closed => violated
//@ check: --ltl closed --fair weak => violated
//@ check: --ltl closed --fair strong => violated (spin: it has no strong fairness)
// Sessions: a client opens a session, asks questions one after the other, and closes the session when
// it likes. Every question is answered, but nothing keeps a client from asking for ever.

mtype = { nothing, question, answer };

mtype box = nothing;           /* what lies between the two */
bool open;                     /* there is a session */

active proctype client()
{
  do
  :: open = true;
     do
     :: box = question;
        box == answer;         /* waits */
        box = nothing
     :: break
     od;
     open = false
  od
}

active proctype server()
{
end:
  do
  :: box == question ->
works:
     box = answer
  od
}

ltl answered { [](box == question -> <>(box == answer)) }
ltl closed { [](open -> <>!open) }
