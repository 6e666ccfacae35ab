//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// #x makes a string of the argument's text, here for a printf.
#define TELL(x) printf(#x)

byte counter = 3;

active proctype main() {
  TELL(counter + 1);
  counter = 4;
  assert(counter == 4)
}
