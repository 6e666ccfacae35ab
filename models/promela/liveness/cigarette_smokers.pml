//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 14
//@ check: --ltl somebody_smokes => holds
//@ check: --ltl first_smokes => violated
//@ check: --ltl first_smokes --fair weak => violated
//@ check: --ltl first_smokes --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl first_smokes_if_served => holds
// An agent puts two of three things on the table: who smokes is the agent's choice, not the scheduler's.
byte table = 3;          /* the smoker who can use what lies there; 3: nothing */
bool smoking[3];

ltl somebody_smokes { []<> (smoking[0] || smoking[1] || smoking[2]) }
ltl first_smokes { []<> smoking[0] }
ltl first_smokes_if_served { []<> (table == 0) -> []<> smoking[0] }

active [3] proctype smoker() {
  do
  :: table == _pid -> smoking[_pid] = true; atomic { smoking[_pid] = false; table = 3 }
  od
}

active proctype agent() {
  do
  :: table == 3 ->
     if
     :: table = 0
     :: table = 1
     :: table = 2
     fi
  od
}
