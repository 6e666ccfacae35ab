//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
//@ check: --never => violated
//@ check: --ltl small => holds
//@ check: --ltl returns => holds
//@ check: --ltl grows => violated
// A claim and formulas side by side: each check uses one of them.
byte x;

ltl small { [] (x < 4) }
ltl returns { []<> (x == 0) }
ltl grows { <>[] (x > 0) }

never {
  do
  :: x != 3
  :: x == 3 -> break
  od
}

active proctype P() {
  do
  :: x = (x + 1) % 4
  od
}
