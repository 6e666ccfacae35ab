//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// foo expands to a text that contains foo, which stays as the name of the variable.
byte foo = 2;
#define foo (foo * 10)
byte r;

active proctype main() {
  r = foo + 1;
  assert(r == 21)
}
