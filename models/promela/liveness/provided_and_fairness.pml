//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 9
//@ check: --ltl moves => violated
//@ check: --ltl moves --fair weak => violated
//@ check: --ltl moves --fair strong => holds (spin: it has no strong fairness)
// A process whose provided clause goes on and off is enabled now and then only.
bool on, moved;

ltl moves { <> moved }

active proctype switch() {
  do
  :: on = !on
  od
}

active proctype worker() provided (on) {
  moved = true
}
