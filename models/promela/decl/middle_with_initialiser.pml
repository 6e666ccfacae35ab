//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A declaration with an initial value in the middle of the code takes its value
// when control passes it, by a step of its own.
byte g = 1;

active proctype main() {
  g = 5;
  byte x = g + 1;
  assert(x == 6);
  g = 7
}
