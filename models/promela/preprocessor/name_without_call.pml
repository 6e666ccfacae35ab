//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// The name of a function-like macro without parentheses behind it is not replaced.
#define f(x) (x + 1)

byte f;

active proctype main() {
  f = f(4);
  assert(f == 5)
}
