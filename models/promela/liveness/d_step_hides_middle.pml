//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --ltl equal => holds
//@ check: --ltl differ => violated
//@ check: --ltl grows => holds
// A formula does not see the states inside a d_step.
byte x, y;

ltl equal { [] (x == y) }
ltl differ { <> (x != y) }
ltl grows { []<> (x == 2) }

active proctype P() {
  do
  :: d_step { x = (x + 1) % 3; y = (y + 1) % 3 }
  od
}
