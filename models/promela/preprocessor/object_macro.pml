//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Object-like macros, one using another, and an expression that needs its parentheses.
#define A 3
#define B (A + 1)
#define C A + 1

byte x;

active proctype main() {
  x = B * 2;
  assert(x == 8);
  x = C * 2;
  assert(x == 5)
}
