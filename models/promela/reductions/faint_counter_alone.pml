//@ verdict: holds
//@ errors: 0
//@ states: 512
//@ transitions: 513
//@ check: --ltl stays => violated
//@ check: --ltl stays --fair weak => violated
//@ check: --ltl changes => holds
//@ check: --ltl changes --fair weak => holds
// A counter that no process reads: a search that keeps it would count for very long.
bit g;

active proctype main() {
  byte count;
  do
  :: g = 1 - g; count = count + 1
  od
}

ltl stays { <>[] (g == 0) }
ltl changes { []<> (g == 0) }
