//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Deeply nested parentheses and blocks.
byte x = 1;

active proctype main() {
  ((((((((((x == 1))))))))));
  { { { { { { x = ((((((2)))))) } } } } } }
  assert((((x))) == (((((2))))))
}
