//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 35
//@ check: --ltl caught --fair weak => violated
//@ check: --ltl caught --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl caught_if_opened --fair strong => holds (spin: it has no strong fairness)
// The door need not open again: inside the cycle that is unfair lies a smaller one that is fair.
bool open, caught_;
bit shut;

ltl caught { <> caught_ }
ltl caught_if_opened { []<> open -> <> caught_ }

active proctype door() {
  do
  :: open = true; open = false
  :: shut = 1 - shut
  od
}

active proctype visitor() {
  open -> caught_ = true
}
