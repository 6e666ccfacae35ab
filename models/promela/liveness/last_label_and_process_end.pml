//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 11
//@ check: --ltl waits => holds
//@ check: --ltl both_end => holds
//@ check: --ltl in_order => violated
// Two processes that end: what they leave behind lasts.
byte order, place;

ltl waits { [] (place == 2 -> [] (place == 2)) }
ltl both_end { <>[] (place == 2) }
ltl in_order { <> (order == 1 && place == 2) }

active [2] proctype runner() {
  atomic { place++; order = (place == 1 -> _pid : order) }
}
