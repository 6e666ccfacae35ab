//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ noclaim: yes
// A formula with a remote reference to a label.
byte n;

ltl leaves { [] ((main@busy) -> <> (n == 2)) }

active proctype main() {
  n = 1;
busy:
  n = 2
}
