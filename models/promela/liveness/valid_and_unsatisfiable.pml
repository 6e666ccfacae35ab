//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 9
//@ check: --ltl valid_excluded_middle => holds
//@ check: --ltl valid_duality => holds
//@ check: --ltl valid_unfolding => holds
//@ check: --ltl valid_weak_until => holds
//@ check: --ltl valid_absorption => holds
//@ check: --ltl unsatisfiable => violated
//@ check: --ltl unsatisfiable_until => violated
//@ check: --formula 'true' => holds
//@ check: --formula 'false' => violated
// Formulas that are true of all runs of all systems, and some that are true of none.
bool a, b;

ltl valid_excluded_middle { <>[] a || []<> !a }
ltl valid_duality { (a U b) <-> !(!a V !b) }
ltl valid_unfolding { (a U b) -> (b || a) }
ltl valid_weak_until { (a W b) <-> ((a U b) || [] a) }
ltl valid_absorption { <>[]<> a <-> []<> a }
ltl unsatisfiable { []<> a && <>[] !a }
ltl unsatisfiable_until { (a U b) && [] !b }

active proctype flips() {
  do
  :: a = !a
  :: b = !b
  od
}
