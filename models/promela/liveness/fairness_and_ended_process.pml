//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl ends --fair weak => holds
//@ check: --ltl runs_on --fair weak => holds
//@ check: --ltl runs_on => holds
// A process at its end is not enabled while a later one lives: no fairness asks it to move.
bit x;
bool done;

ltl ends { <> done }
ltl runs_on { []<> (x == 1) }

active proctype short_() {
  done = true
}

active proctype long_() {
  do
  :: x = 1 - x
  od
}
