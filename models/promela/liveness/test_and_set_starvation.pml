//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl first_enters --fair weak => violated
//@ check: --ltl first_enters --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl all_enter --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl all_enter --fair weak => violated
//@ check: --ltl exclusion => holds
// Three processes and a lock that is taken in one step.
bool locked;
byte owner = 3;

ltl first_enters { []<> (owner == 0) }
ltl all_enter { []<> (owner == 0) && []<> (owner == 1) && []<> (owner == 2) }
ltl exclusion { [] (owner != 3 -> locked) }

active [3] proctype user() {
  do
  :: atomic { !locked -> locked = true; owner = _pid };
     atomic { owner = 3; locked = false }
  od
}
