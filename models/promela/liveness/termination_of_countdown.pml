//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 17
//@ check: --ltl ends => holds
//@ check: --ltl falls => holds
//@ check: --ltl falls_by_one => violated
//@ check: --ltl never_back => holds
//@ check: --ltl stays_above => violated
//@ check: --non-progress => holds, states 27
// A finite model: the end is reached on every run, and its state lasts.
byte n = 4;

ltl ends { <>[] (n == 0) }
ltl falls { (n > 2) U (n <= 2) }
ltl falls_by_one { (n > 2) U (n == 2) }
ltl never_back { [] ((n == 2) -> [] (n <= 2)) }
ltl stays_above { [] (n > 0) }

active proctype P() {
  do
  :: n > 0 -> n--
  :: n > 1 -> n = n - 2
  :: n == 0 -> break
  od
}
