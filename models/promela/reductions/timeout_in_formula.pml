//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ check: --ltl rests => violated
//@ check: --ltl rests --fair weak => violated
//@ check: --ltl rests_at_last => holds
//@ check: --ltl rests_at_last --fair weak => holds
// A formula that asks whether any process can move.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
end:
  false
}

ltl rests { [] ((g == 1) -> timeout) }
ltl rests_at_last { <> timeout }
