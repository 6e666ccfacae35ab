//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
//@ check: --ltl low_moves => holds
//@ check: --ltl never_before => holds
//@ check: --ltl high_for_ever => violated
// A process that lowers its own priority lets the other one run.
byte rounds;
bool low_moved;

ltl low_moves { <> low_moved }
ltl never_before { !low_moved U (rounds == 2) }
ltl high_for_ever { [] !low_moved }

active proctype high() priority 5 {
  rounds = 1;
  rounds = 2;
  set_priority(_pid, 1);
  low_moved
}

active proctype low() priority 2 {
  low_moved = true
}
