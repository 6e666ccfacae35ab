//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 11
//@ check: --ltl both_ways => holds
//@ check: --ltl recurrences => holds
//@ check: --ltl not_equal => violated
//@ check: --ltl implied => holds
//@ check: --ltl vacuous => holds
// Equivalences between temporal formulas as properties of one system.
byte x;

ltl both_ways { (<> (x == 3)) <-> (<> (x == 2 && <> (x == 3))) }
ltl recurrences { ([]<> (x == 1)) <-> ([]<> (x == 2)) }
ltl not_equal { (<>[] (x == 3)) <-> (<> (x == 2)) }
ltl implied { (<>[] (x == 3)) -> (<> (x == 2)) }
ltl vacuous { (<> (x == 9)) -> false }

active proctype P() {
  do
  :: x == 0 -> x = 1
  :: x == 1 -> x = 2
  :: x == 2 -> x = 1
  :: x == 2 -> x = 3
  :: x == 3 -> break
  od
}
