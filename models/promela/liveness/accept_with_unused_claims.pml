//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --acceptance => holds, states 3
//@ check: --ltl one => violated
//@ check: --ltl two => violated
// The formulas of the file have no part in the search for acceptance cycles.
byte x;

ltl one { <> (x == 5) }
ltl two { [] (x == 0) }

active proctype P() {
accept_start:
  x = 0;
  do
  :: x = 1;
     x = 0
  od
}
