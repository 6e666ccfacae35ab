//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 25
//@ check: --ltl meets => violated
//@ check: --ltl meets --fair weak => violated
// The giver can move only while the taker stands at its choice. A run in which the taker always takes
// the other way is weakly fair, because the giver cannot move in between.
chan c = [0] of { bit };
bit g, done;

active proctype taker() {
  bit a;
  do
  :: c?1 -> done = 1
  :: g = 1 - g; a = 1 - a
  od
}

active proctype giver() {
  c!1
}

ltl meets { <> (done == 1) }
