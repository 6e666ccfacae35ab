//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --ltl always_small => holds
//@ check: --ltl response => holds
//@ check: --ltl same => holds
//@ check: --ltl words_until => holds
//@ check: --ltl words_until_wrong => violated
//@ check: --ltl words_weak => holds
// The operators as words: always, eventually, until, weakuntil, release, implies, equivalent.
byte x;

ltl always_small { always (x <= 2) }
ltl response { always ((x == 1) implies eventually (x == 2)) }
ltl same { (always eventually (x == 0)) equivalent (always eventually (x == 2)) }
ltl words_until { (x == 0) until (x == 1) }
ltl words_until_wrong { (x == 0) until (x == 2) }
ltl words_weak { ((x != 2) weakuntil (x == 2)) && ((x == 2) release (x <= 2)) }

active proctype turn() {
  do
  :: x = 1;
     x = 2;
     x = 0
  od
}
