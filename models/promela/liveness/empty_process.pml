//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ check: --ltl still => holds
//@ check: --ltl moves => violated
//@ check: --non-progress => holds, states 5
// A process without statements: the property still has an initial state to speak of.
byte x = 5;

ltl still { [] (x == 5) }
ltl moves { <> (x != 5) }

active proctype P() {
  skip
}
