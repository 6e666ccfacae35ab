//@ verdict: holds
//@ errors: 0
//@ states: 32
//@ transitions: 41
//@ check: --ltl no_premise => violated
//@ check: --ltl one_premise => holds
//@ check: --ltl two_premises => holds
//@ check: --ltl wrong_premise => violated
// Fairness of options, which no scheduler gives, as premises of a formula.
byte x;

ltl no_premise { []<> (x == 3) }
ltl one_premise { []<> (x == 1) -> []<> (x == 3) }
ltl two_premises { ([]<> (x == 1) && []<> (x == 2)) -> []<> (x == 3) }
ltl wrong_premise { []<> (x == 0) -> []<> (x == 3) }

active proctype P() {
  bool one, two;

  do
  :: !one -> x = 1; one = true
  :: !two -> x = 2; two = true
  :: one && two -> one = false; two = false; x = 3
  :: !(one && two) -> x = 0
  od
}
