//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ unreached: 13, 14
// Nothing behind a loop without exit is reached, the end of the process included.
byte x;

active proctype main() {
  do
  :: x = 1 - x
  od;
  x = 7
}
