//@ verdict: holds
// Deeply nested parentheses and blocks.
byte x = 1;

active proctype main() {
  ((((((((((x == 1))))))))));
  { { { { { { x = ((((((2)))))) } } } } } }
  assert((((x))) == (((((2))))))
}
