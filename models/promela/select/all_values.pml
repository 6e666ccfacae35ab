//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// select (i : a .. b) gives i any value of the range.
byte i;

active proctype main() {
  select (i : 2 .. 5);
  assert(i >= 2 && i <= 5)
}
