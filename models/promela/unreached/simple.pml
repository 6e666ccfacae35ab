//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ unreached: 14, 15
// The statement behind a guard that never holds is not reached.
byte x;

active proctype main() {
  if
  :: x == 0 ->
     x = 1
  :: x == 5 ->
     x = 2;
     x = 3
  fi
}
