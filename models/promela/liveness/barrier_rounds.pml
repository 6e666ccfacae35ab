//@ verdict: holds
//@ errors: 0
//@ states: 48
//@ transitions: 81
//@ check: --ltl rounds => holds
//@ check: --ltl together => holds
//@ check: --ltl first_ahead => violated
// A barrier for two: no process is more than one round ahead, and rounds go on without fairness.
byte arrived;
bit sense, round[2];
bool passed[2];

ltl rounds { []<> (sense == 1) && []<> (sense == 0) }
ltl together { [] ((arrived == 2) -> <> (arrived == 0)) }
ltl first_ahead { [] (round[0] == round[1]) }

active [2] proctype worker() {
  bit mine;

  do
  :: mine = 1 - mine;
     round[_pid] = mine;
     atomic {
       arrived++;
       if
       :: arrived == 2 -> arrived = 0; sense = mine
       :: else
       fi
     };
     sense == mine
  od
}
