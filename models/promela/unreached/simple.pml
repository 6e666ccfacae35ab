//@ verdict: holds
//@ unreached: ?
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
