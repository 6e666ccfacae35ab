//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --ltl ltl_0 => holds
//@ check: --ltl named => violated
// A formula without a name gets one.
byte x;

ltl { []<> (x == 1) }
ltl named { <>[] (x == 1) }

active proctype P() {
  do
  :: x = 1 - x
  od
}
