//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ noclaim: yes
// ltl formulas, named and unnamed, are parsed and have no influence on a search
// without claims.
byte x;

ltl always_small { [] (x < 5) }
ltl comes_back { [] (x == 2 -> <> (x == 0)) }
ltl one_follows { (x == 0) U (x == 1) }

active proctype main() {
  do
  :: x = 1; x = 2; x = 0
  od
}
