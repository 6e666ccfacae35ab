//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
// progress and accept labels matter to a search for cycles only.
byte x;

active proctype main() {
  do
  :: x == 0 ->
progress:
     x = 1
  :: x == 1 ->
accept_here:
     x = 0
  od
}
