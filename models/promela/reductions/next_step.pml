//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --formula '[] ((g == 1) -> X (g == 2))' => violated (spin: it does not accept the operator X)
//@ check: --formula '[] ((g == 1) -> X ((g == 1) && X (g == 2)))' => violated (spin: it does not accept the operator X)
//@ check: --formula '[] ((g == 1) -> X ((g == 1) || (g == 2)))' => holds (spin: it does not accept the operator X)
//@ check: --formula '[] ((g == 1) -> <> (g == 2))' => holds
// Formulas with X count steps.
byte g;

active proctype main() {
  byte a;
  do
  :: g = 1;
     a = 1 - a;
     g = 2;
     g = 0
  od
}
