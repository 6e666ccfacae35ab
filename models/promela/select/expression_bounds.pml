//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 15
// Bounds taken from variables.
byte lo = 1, hi = 2;

active proctype main() {
  int i;
  select (i : lo .. hi + 1);
  assert(i >= lo && i <= hi + 1)
}
