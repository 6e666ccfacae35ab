//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 12
//@ check: --ltl never_middle => violated
//@ check: --ltl middle_lasts => violated
//@ check: --ltl ends => holds
//@ check: --ltl ends_again => violated
// An atomic sequence that blocks in the middle shows the state in which it waits.
byte x;
bool go;

ltl never_middle { [] (x != 1) }
ltl middle_lasts { [] ((x == 1) -> [] (x == 1)) }
ltl ends { <> (x == 2) }
ltl ends_again { [] (x == 1) || [] (x == 2) }

active proctype P() {
  atomic {
    x = 1;
    go;
    x = 2
  }
}

active proctype Q() {
  go = true
}
