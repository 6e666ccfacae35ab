//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A range of one value leaves no choice.
active proctype main() {
  byte i;
  select (i : 7 .. 7);
  assert(i == 7)
}
