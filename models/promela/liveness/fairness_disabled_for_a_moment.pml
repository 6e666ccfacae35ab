//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 28
//@ check: --ltl moves --fair weak => violated
//@ check: --ltl moves --fair strong => holds (spin: it has no strong fairness)
// One state out of four in which a process cannot move is enough to excuse a weakly fair scheduler.
byte x;
bool moved;

ltl moves { <> moved }

active proctype round() {
  do
  :: x = (x + 1) % 4
  od
}

active proctype other() {
  x != 3 -> moved = true
}
