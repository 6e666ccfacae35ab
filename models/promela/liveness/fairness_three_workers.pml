//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 25
//@ check: --ltl all_work => violated
//@ check: --ltl all_work --fair weak => holds
//@ check: --ltl one_works => holds
//@ check: --ltl two_together --fair weak => violated
// Three workers that never wait for each other: weak fairness gives all of them their turn.
bool busy[3];

ltl all_work { []<> busy[0] && []<> busy[1] && []<> busy[2] }
ltl one_works { []<> (busy[0] || busy[1] || busy[2]) || <>[] !(busy[0] || busy[1] || busy[2]) }
ltl two_together { <> (busy[0] && busy[1]) }

active [3] proctype worker() {
  do
  :: busy[_pid] = true;
     busy[_pid] = false
  od
}
