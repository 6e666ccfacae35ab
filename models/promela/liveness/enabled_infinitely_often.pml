//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 14
//@ check: --ltl caught => violated
//@ check: --ltl caught --fair weak => violated
//@ check: --ltl caught --fair strong => holds (spin: it has no strong fairness)
// The smallest difference between weak and strong fairness: a door that opens and closes.
bool open, caught_;

ltl caught { <> caught_ }

active proctype door() {
  do
  :: open = !open
  od
}

active proctype visitor() {
  open -> caught_ = true
}
