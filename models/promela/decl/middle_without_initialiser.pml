//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A declaration in the middle without a value sets the variable to zero, and that is
// a step of its own like the initialisation with a value.
byte g = 1;

active proctype main() {
  g = 5;
  byte x;
  assert(x == 0);
  x = g
}
