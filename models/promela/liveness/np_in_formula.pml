//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 4
//@ check: --ltl progresses => violated
//@ check: --ltl not_for_ever => violated
//@ check: --non-progress => violated
// np_ in a formula: no process stands at a progress label.
bit x;

ltl progresses { []<> !np_ }
ltl not_for_ever { !<>[] np_ }

active proctype P() {
  do
  :: x = 1;
progress:
     x = 0
  :: x = 0
  od
}
