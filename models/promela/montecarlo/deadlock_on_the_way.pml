//@ verdict: violated
//@ errors: 1
//@ states: 6
//@ transitions: 9
//@ violation: invalid end state
//@ check: --ltl goes_on => violated
//@ check: --ltl never_both => holds
// Two processes that may take two locks in different orders. A walk that comes to the deadlock can go no
// further; for the formulas the run stands still there.
bool p_has[2], q_has[2];
bool working;

ltl goes_on { []<> working }
ltl never_both { [] !(p_has[0] && q_has[0]) }

#define free(i) (!p_has[i] && !q_has[i])

active proctype P() {
  do
  :: atomic { free(0) -> p_has[0] = true };
     atomic { free(1) -> p_has[1] = true; working = true };
     atomic { working = false; p_has[0] = false; p_has[1] = false }
  od
}

active proctype Q() {
  do
  :: atomic { free(1) -> q_has[1] = true };
     atomic { free(0) -> q_has[0] = true; working = true };
     atomic { working = false; q_has[0] = false; q_has[1] = false }
  od
}
