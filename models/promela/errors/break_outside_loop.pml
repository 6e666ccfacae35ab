//@ verdict: error
//@ error: break
// break needs a loop around it.
byte x;

active proctype main() {
  if
  :: x == 0 -> break
  fi
}
