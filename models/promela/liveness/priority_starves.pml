//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --ltl low_moves => violated
//@ check: --ltl low_moves --fair weak => violated
//@ check: --ltl high_moves => holds
// A process of high priority that never waits keeps the other from being enabled at all.
bit x;
bool low_moved;

ltl low_moves { <> low_moved }
ltl high_moves { []<> (x == 1) }

active proctype high() priority 5 {
  do
  :: x = 1 - x
  od
}

active proctype low() priority 1 {
  low_moved = true
}
