//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
//@ check: --ltl filled => holds
//@ check: --ltl order => holds
//@ check: --ltl sum => violated
//@ check: --ltl by_index => holds
// Array elements, arithmetic and conditions inside the atoms of formulas.
byte a[3], i;

ltl filled { <> (a[0] == 1 && a[1] == 2 && a[2] == 3) }
ltl order { [] (a[2] != 0 -> a[1] > a[0]) }
ltl sum { [] (a[0] + a[1] + a[2] < 6) }
ltl by_index { [] (i == 0 || a[i - 1] == i) }

active proctype P() {
  do
  :: i < 3 -> atomic { a[i] = i + 1; i++ }
  :: i == 3 -> break
  od
}
