//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 49
//@ check: --ltl both --fair weak => violated
//@ check: --ltl some => violated
//@ check: --ltl some --fair weak => holds
// A loop with else is always enabled, but which branch it takes depends on when it moves.
bit x;
bool saw_one, saw_zero;

ltl both { <> saw_one && <> saw_zero }
ltl some { <> (saw_one || saw_zero) }

active proctype flip() {
  do
  :: x = 1 - x
  od
}

active proctype looker() {
  do
  :: x == 1 -> saw_one = true
  :: else -> saw_zero = true
  od
}
