//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 6
//@ check: --ltl low => violated
//@ check: --ltl low --fair weak => violated
//@ check: --ltl back => holds
//@ check: --ltl back --fair weak => holds
//@ check: --ltl stays => violated
//@ check: --ltl stays --fair weak => violated
// A variable that no process of the model reads is read by the formula.
byte g;

active proctype main() {
  byte x;
  do
  :: x = 1; g = 1; x = 2; g = 0
  od
}

ltl low { [] (main:x < 2) }
ltl back { []<> (main:x == 1) }
ltl stays { <>[] (main:x == 2) }
