//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --ltl passes => holds
//@ check: --ltl stays => violated
//@ check: --ltl not_at_the_end => holds
// A process that is gone stands at none of its labels.
byte x;

ltl passes { <> worker@here }
ltl stays { <>[] worker@here }
ltl not_at_the_end { <>[] !worker@here }

active proctype worker() {
  x = 1;
here:
  x = 2
}
