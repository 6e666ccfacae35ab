//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Blocks in blocks are transparent: they add no step.
byte x;

active proctype main() {
  { { x = 1; { x = 2 } } x = 3 }
  assert(x == 3)
}
