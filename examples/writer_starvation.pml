//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 11
//@ check: --ltl writer_gets_in => violated
//@ check: --ltl writer_gets_in --fair weak => violated
//@ check: --ltl writer_gets_in --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl readers_get_in --fair weak => violated
//@ check: --ltl readers_get_in --fair strong => holds (spin: it has no strong fairness)
// Readers and writers, with promises. If there is always some reader inside, the writer can never
// move at all, so no fairness helps it: the algorithm is at fault, not the scheduler. See
// writer_first.pml for one that is better.

byte reading;
bool writing;

ltl writer_gets_in { []<> writing }
ltl readers_get_in { []<> (reading > 0) }

active [2] proctype reader() {
  do
  :: atomic { !writing -> reading++ };
     reading--
  od
}

active proctype writer() {
  do
  :: atomic { reading == 0 && !writing -> writing = true };
     writing = false
  od
}
