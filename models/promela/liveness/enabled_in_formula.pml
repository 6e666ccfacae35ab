//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 21
//@ check: --ltl always_enabled => violated
//@ check: --ltl waits => holds
//@ check: --ltl strong_by_hand => violated
//@ check: --ltl strong_as_premise => holds
//@ check: --ltl entered => violated
//@ check: --ltl entered --fair strong => holds (spin: it has no strong fairness)
// enabled and _last in a formula: strong fairness as a premise, written by hand.
bool open, inside;

ltl always_enabled { [] enabled(1) }
ltl waits { [] (enabled(1) || !open || inside) }
ltl strong_by_hand { []<> enabled(1) -> []<> (_last == 1) }
ltl strong_as_premise { ([]<> enabled(1) -> []<> (_last == 1)) -> []<> inside }
ltl entered { []<> inside }

active proctype door() {
  do
  :: open = !open
  od
}

active proctype visitor() {
  do
  :: open -> inside = true; inside = false
  od
}
