//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 22
//@ check: --ltl two_in_the_end => violated
//@ check: --ltl two_in_the_end --fair weak => violated (spin: its weak fairness misses runs that end in stuttering)
//@ check: --ltl three_in_the_end => violated
//@ check: --ltl three_in_the_end --fair weak => violated (spin: its weak fairness misses runs that end in stuttering)
//@ check: --ltl something => holds
//@ check: --ltl something --fair weak => holds
// After a meeting the receiver may go on at once; the sender may not.
chan c = [0] of { byte };
byte g;

active proctype receiver() {
  byte a, b;
  c?a;
  b = a;
  g = b
}

active proctype sender() {
  byte a;
  c!2;
  a = 3;
  g = a
}

ltl two_in_the_end { <>[] (g == 2) }
ltl three_in_the_end { <>[] (g == 3) }
ltl something { <>[] (g == 2 || g == 3) }
