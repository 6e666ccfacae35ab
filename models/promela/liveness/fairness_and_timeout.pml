//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 13
//@ check: --ltl wakes => violated
//@ check: --ltl wakes --fair weak => violated
//@ check: --ltl wakes --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl wakes_if_quiet --fair weak => holds
// Who waits for a timeout is enabled only when no other process is.
bit x;
bool woken, quiet;

ltl wakes { <> woken }
ltl wakes_if_quiet { <> quiet -> <> woken }

active proctype busy() {
  do
  :: x = 1 - x
  :: quiet = true; break
  od
}

active proctype sleeper() {
  timeout -> woken = true
}
