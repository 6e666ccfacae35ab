//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 19
// The local is declared before the global of the same name is known, which even
// SPIN accepts: main uses its own x, second uses the global.
active proctype main() {
  byte x = 10;
  x++;
  assert(x == 11)
}

byte x = 1;

active proctype second() {
  x++;
  assert(x == 2)
}
