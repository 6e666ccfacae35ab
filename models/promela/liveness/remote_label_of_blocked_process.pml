//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl arrives => violated
//@ check: --ltl arrives --fair weak => holds
//@ check: --ltl stays => holds
//@ check: --ltl passes => violated
// A process that waits for ever at a label, seen from a formula.
bool never_true;
bit x;

ltl arrives { <> waiter@here }
ltl stays { [] (waiter@here -> [] waiter@here) }
ltl passes { [] (waiter@here -> <> waiter@there) }

active proctype waiter() {
  x = x;
here:
  never_true;
there:
  x = 0
}

active proctype other() {
  do
  :: x = 1 - x
  od
}
