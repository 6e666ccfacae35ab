//@ verdict: holds
//@ errors: 0
//@ states: 32
//@ transitions: 61
//@ check: --ltl again => violated
//@ check: --ltl again --fair weak => violated
//@ check: --ltl through => violated
//@ check: --ltl through --fair weak => violated
// Without meetings and timeouts fairness sees no difference.
bit g, h;

active proctype first() {
  bit a;
  do
  :: g = 1 - g; a = 1 - a
  od
}

active proctype second() {
  bit a;
  do
  :: h = 1; a = 1 - a; (g == 1); h = 0
  od
}

ltl again { []<> (h == 1 && g == 0) }
ltl through { []<> (h == 0) }
