//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
//@ check: --never => violated
//@ check: --never --fair weak => violated
// A claim that accepts if g is 1 in two states in a row.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
  g = 2
}

never {
  do
  :: true
  :: (g == 1) -> break
  od;
  (g == 1)
}
