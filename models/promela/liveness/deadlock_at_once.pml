//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
//@ check: --ltl nothing_happens => holds
//@ check: --ltl something_happens => violated
//@ check: --ltl something_happens --fair weak => violated
//@ check: --ltl something_happens --fair strong => violated (spin: it has no strong fairness)
//@ check: --formula 'X (x == 1)' => violated (spin: it does not accept the operator X)
//@ check: --formula 'X (x == 1)' --fair weak => violated (spin: it does not accept the operator X)
// A model that cannot move at all has one run, which stays where it is.
byte x;

ltl nothing_happens { [] (x == 0) }
ltl something_happens { <> (x == 1) }

active proctype P() {
  x == 1
}
