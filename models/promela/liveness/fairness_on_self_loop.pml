//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 6
//@ check: --ltl moves => violated
//@ check: --ltl moves --fair weak => holds
//@ check: --ltl idle_is_fair --fair weak => holds
// A step that changes nothing is a step: a cycle of one state can be unfair.
byte x, y;

ltl moves { <> (y == 1) }
ltl idle_is_fair { [] (x == 0) }

active proctype idle() {
  do
  :: x = 0
  od
}

active proctype other() {
  y = 1
}
