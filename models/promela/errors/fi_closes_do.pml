//@ verdict: error
//@ error: fi
// A loop closed with fi.
byte x;

active proctype main() {
  do
  :: x == 0 -> x = 1
  fi
}
