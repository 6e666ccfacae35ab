//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A character constant is its code, usable as a number.
byte c = 'a';

active proctype main() {
  assert(c == 97);
  c = c + ('Z' - 'A');
  assert(c == 'z');
  c = '\n';
  assert(c == 10);
  c = '\t';
  assert(c == 9)
}
