//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --ltl moves => violated
//@ check: --ltl moves --fair weak => violated
//@ check: --ltl moves --fair strong => violated (spin: it has no strong fairness)
// A process whose provided clause stays false is never enabled, and no fairness moves it.
bool off, moved;
bit x;

ltl moves { <> moved }

active proctype other() {
  do
  :: x = 1 - x
  od
}

active proctype worker() provided (off) {
  moved = true
}
