//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl bounded => holds
//@ check: --ltl drains => holds
//@ check: --ltl fills => violated
//@ check: --ltl fills_and_drains => holds
// The length of a channel inside the atoms of a formula.
chan q = [3] of { byte };

ltl bounded { [] (len(q) <= 3) }
ltl drains { [] (len(q) == 3 -> <> (len(q) < 3)) }
ltl fills { <> (len(q) == 3) }
ltl fills_and_drains { []<> (len(q) > 0) && []<> (len(q) < 3) }

active proctype P() {
  do
  :: q!1
  od
}

active proctype Q() {
  do
  :: q?1
  od
}
