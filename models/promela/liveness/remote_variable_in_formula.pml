//@ verdict: holds
//@ errors: 0
//@ states: 36
//@ transitions: 73
//@ check: --ltl bounded => holds
//@ check: --ltl reaches => holds
//@ check: --ltl second_reaches => violated
//@ check: --ltl second_reaches --fair weak => holds
// Local variables of processes in formulas.
ltl bounded { [] (counter[0]:n <= 2) }
ltl reaches { []<> (counter[0]:n == 2) || []<> (counter[1]:n == 2) }
ltl second_reaches { []<> (counter[1]:n == 2) }

active [2] proctype counter() {
  byte n;

  do
  :: n < 2 -> n++
  :: n == 2 -> n = 0
  od
}
