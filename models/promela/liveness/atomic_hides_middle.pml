//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ check: --ltl never_middle => holds
//@ check: --ltl reaches_end => holds
//@ check: --ltl middle => violated
// A formula does not see the states inside an atomic sequence.
byte x;

ltl never_middle { [] (x != 1) }
ltl reaches_end { <> (x == 2) }
ltl middle { <> (x == 1) }

active proctype P() {
  atomic {
    x = 1;
    x = 2
  }
}
