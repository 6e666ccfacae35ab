//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 17
//@ check: --ltl first_moves_on => violated
//@ check: --ltl first_moves_on --fair weak => holds
//@ check: --ltl one_of_two => holds
//@ check: --ltl alternates => violated
// _last in a formula: who moves infinitely often.
bit a, b;

ltl first_moves_on { []<> (_last == 0) && []<> (_last == 1) }
ltl one_of_two { []<> (_last == 0) || []<> (_last == 1) }
ltl alternates { [] (_last == 1 -> <> (_last == 0)) }

active proctype P() {
  do
  :: a = 1 - a
  od
}

active proctype Q() {
  do
  :: b = 1 - b
  od
}
