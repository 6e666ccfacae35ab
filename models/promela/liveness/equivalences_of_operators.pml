//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 25
//@ check: --ltl distributes => holds
//@ check: --ltl does_not_distribute => violated
//@ check: --ltl until_idempotent => holds
//@ check: --ltl until_not_associative => violated
//@ check: --ltl recurrence_of_or => holds
//@ check: --ltl recurrence_of_and => violated
//@ check: --ltl persistence_of_and => holds
//@ check: --ltl release_in_always => holds
// Laws of temporal logic as formulas, and those near them that are no laws, on a system with all runs.
bool a, b, c;

ltl distributes { [] (a && b) <-> ([] a && [] b) }
ltl does_not_distribute { (<> a && <> b) -> <> (a && b) }
ltl until_idempotent { (a U (a U b)) <-> (a U b) }
ltl until_not_associative { [] ((a U (b U c)) -> ((a U b) U c)) }
ltl recurrence_of_or { []<> (a || b) <-> ([]<> a || []<> b) }
ltl recurrence_of_and { ([]<> a && []<> b) -> []<> (a && b) }
ltl persistence_of_and { <>[] (a && b) <-> (<>[] a && <>[] b) }
ltl release_in_always { (false V a) <-> [] a }

active proctype any() {
  do
  :: a = !a
  :: b = !b
  :: c = !c
  od
}
