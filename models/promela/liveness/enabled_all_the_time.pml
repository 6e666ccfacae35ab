//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 21
//@ check: --ltl moves => violated
//@ check: --ltl moves --fair weak => holds
//@ check: --ltl moves --fair strong => holds (spin: it has no strong fairness)
// A process that can always move, by one statement or another, moves under weak fairness.
bool open, moved;

ltl moves { []<> moved }

active proctype door() {
  do
  :: open = !open
  od
}

active proctype visitor() {
  do
  :: open -> moved = true; moved = false
  :: !open -> moved = true; moved = false
  od
}
