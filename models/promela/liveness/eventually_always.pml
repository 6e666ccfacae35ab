//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 11
//@ check: --ltl settles => holds
//@ check: --ltl settles_at_zero => violated
//@ check: --ltl not_bounded => violated
//@ check: --ltl recurs => violated
//@ check: --ltl recurs_or_settles => holds
// `<>[]` without `[]`: a value that falls to some place and stays there, at a time that is not bounded.
byte x = 3;

ltl settles { <>[] (x <= 1) }
ltl settles_at_zero { <>[] (x == 0) }
ltl not_bounded { <>[] (x >= 1) }
ltl recurs { []<> (x == 2) }
ltl recurs_or_settles { []<> (x == 2) || <>[] (x < 2) }

active proctype falling() {
  do
  :: x > 1 -> x--
  :: x == 1 -> skip
  :: x == 1 -> x = 0
  :: x == 0 -> skip
  od
}
