//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 11
//@ violation: invalid end state
//@ check: --ltl exclusion => holds
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters_if_second_does => holds
//@ check: --ltl in_turn => holds
// Strict alternation: the first enters again and again only if the second does, which may stop.
byte turn;
bool inside[2];

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl first_enters { []<> inside[0] }
ltl first_enters_if_second_does { []<> inside[1] -> []<> inside[0] }
ltl in_turn { [] (inside[0] -> (inside[0] W (!inside[0] W inside[1]))) }

active proctype first() {
  do
  :: turn == 0 -> inside[0] = true; inside[0] = false; turn = 1
  od
}

active proctype second() {
  do
  :: turn == 1 -> inside[1] = true; inside[1] = false; turn = 0
  :: turn == 1 -> break
  od
}
