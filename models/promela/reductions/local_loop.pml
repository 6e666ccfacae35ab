//@ verdict: holds
//@ errors: 0
//@ states: 30
//@ transitions: 55
//@ check: --ltl two => violated
//@ check: --ltl two --fair weak => holds
// A loop of local steps must come to rest somewhere, or it never lets any process in.
byte g;

active proctype spins() {
  bit a, b;
  do
  :: a = 1 - a; b = 1 - a
  od
}

active proctype other() {
  g = 1;
  (g == 1);
  g = 2
}

ltl two { <> (g == 2) }
