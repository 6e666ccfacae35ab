//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Forms of "do nothing": skip, true, 1, an empty-bodied else and a printf.
byte x;

active proctype main() {
  skip;
  true;
  1;
  if :: false :: else fi;
  printf("");
  assert(x == 0)
}
