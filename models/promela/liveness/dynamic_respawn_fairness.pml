//@ verdict: holds
//@ errors: 0
//@ states: 15
//@ transitions: 22
//@ check: --ltl caught => violated
//@ check: --ltl caught --fair weak => violated
//@ check: --ltl caught --fair strong => holds (spin: it has no strong fairness)
// A process that watches another one that is born and dies.
bool here, caught_;

ltl caught { <> caught_ }

active proctype watcher() {
  here -> caught_ = true
}

proctype visitor() {
  here = true;
  here = false
}

active proctype parent() {
  do
  :: _nr_pr <= 2 -> run visitor()
  od
}
