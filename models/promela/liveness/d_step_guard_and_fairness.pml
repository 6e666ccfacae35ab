//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 29
//@ check: --ltl moves => violated
//@ check: --ltl moves --fair weak => holds
//@ check: --ltl caught --fair weak => violated
//@ check: --ltl caught --fair strong => holds (spin: it has no strong fairness)
// The guard of a d_step says whether the process is enabled.
bit x;
bool moved, caught_;

ltl moves { <> moved }
ltl caught { <> caught_ }

active proctype flip() {
  do
  :: x = 1 - x
  od
}

active proctype always_() {
  d_step { x < 2 -> moved = true }
}

active proctype sometimes() {
  d_step { x == 1 -> caught_ = true }
}
