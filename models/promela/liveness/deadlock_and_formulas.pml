//@ verdict: violated
//@ errors: 1
//@ states: 37
//@ transitions: 55
//@ violation: invalid end state
//@ check: --ltl leaves => violated
//@ check: --ltl stays => violated
//@ check: --ltl all_or_nothing => holds
//@ check: --ltl done_or_stuck => holds
//@ check: --ltl done_or_stuck --fair weak => holds
//@ check: --ltl stuck_is_final => holds
// Two locks taken in opposite orders: in the deadlock the last state counts for ever.
bool a, b, held_a, held_b;
byte done;

ltl leaves { <> (done == 2) }
ltl stays { <>[] (held_a && held_b) }
ltl all_or_nothing { <>[] (done == 2) || [] (done < 1) }
ltl done_or_stuck { <> (done == 2) || <>[] (held_a && held_b) }
ltl stuck_is_final { [] ((held_a && held_b) -> [] (held_a && held_b)) }

active proctype P() {
  atomic { !a -> a = true; held_a = true };
  atomic { !b -> b = true; held_a = false };
  b = false;
  a = false;
  done++
}

active proctype Q() {
  atomic { !b -> b = true; held_b = true };
  atomic { !a -> a = true; held_b = false };
  a = false;
  b = false;
  done++
}
