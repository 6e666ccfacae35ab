//@ verdict: holds
//@ noclaim: yes
// A formula with a remote reference to a label and a quoted part.
byte n;

ltl leaves { [] ((main@busy) -> <> (n == 2)) }

active proctype main() {
  n = 1;
busy:
  n = 2
}
