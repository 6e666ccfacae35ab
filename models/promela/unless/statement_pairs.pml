//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Braces are not needed around single statements.
byte x = 1;

active proctype main() {
  x = 2 unless x == 5;
  (x == 9) unless (x == 2);
  assert(x == 2)
}
