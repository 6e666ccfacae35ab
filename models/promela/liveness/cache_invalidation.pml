//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl one_owner => holds
//@ check: --ltl write_seen => violated
//@ check: --ltl write_seen --fair weak => violated
//@ check: --ltl write_seen --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl owner_changes => violated
// Two caches and an owner's right that is taken away in one step.
byte owner = 2;
bool wrote[2];

ltl one_owner { [] (owner <= 2) }
ltl write_seen { []<> wrote[0] }
ltl owner_changes { []<> (owner == 0) -> []<> (owner == 1) }

active [2] proctype cache() {
  do
  :: atomic { owner == 2 -> owner = _pid };
     wrote[_pid] = true;
     wrote[_pid] = false;
     owner = 2
  od
}
