//@ verdict: error
//@ error: fi
// A selection without its end.
byte x;

active proctype main() {
  if
  :: x == 0 -> x = 1
}
