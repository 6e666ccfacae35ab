//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 11
//@ check: --ltl settles => holds
//@ check: --ltl settles_at_four => violated
//@ check: --ltl settles_at_four --fair weak => violated (spin: its weak fairness misses runs that end in stuttering)
//@ check: --ltl moves_for_ever => violated
//@ check: --ltl last_word => holds
// What do promises about for ever mean if the run ends? The last state is taken to last. So a formula
// can speak of the result of a finite run: the race of two writers leaves 3 or 4, never 2. Fairness
// takes none of these runs away, as nobody can move at their end.

byte x = 1;

ltl settles { <>[] (x == 3) || <>[] (x == 4) }
ltl settles_at_four { <>[] (x == 4) }
ltl moves_for_ever { []<> (x == 1) }
ltl last_word { !<>[] (x <= 2) }

active proctype doubles() {
  x = 2 * x
}

active proctype increments() {
  x = x + 1
}
