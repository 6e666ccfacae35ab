//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 19
//@ check: --ltl writer_gets_in => violated
//@ check: --ltl writer_gets_in --fair weak => holds
//@ check: --ltl readers_get_in --fair weak => violated
//@ check: --ltl readers_get_in --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl no_mixing => holds
// Readers and writers where a writer first announces itself and new readers then stay outside.
// Weak fairness is enough for the writer. For the readers it is not: between two turns of the writer
// they can move, but not without interruption.

byte reading;
bool announced, writing;

ltl writer_gets_in { []<> writing }
ltl readers_get_in { []<> (reading > 0) }
ltl no_mixing { [] !(writing && reading > 0) }

active [2] proctype reader() {
  do
  :: atomic { !announced && !writing -> reading++ };
     reading--
  od
}

active proctype writer() {
  do
  :: announced = true;
     atomic { reading == 0 -> writing = true };
     atomic { writing = false; announced = false }
  od
}
