//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --ltl equal => violated
//@ check: --ltl equal_again => holds
//@ check: --ltl near => holds
// The same in two steps: now the formula sees what lies between.
byte x, y;

ltl equal { [] (x == y) }
ltl equal_again { []<> (x == y) }
ltl near { [] (x == y || x == (y + 1) % 3) }

active proctype P() {
  do
  :: x = (x + 1) % 3; y = (y + 1) % 3
  od
}
