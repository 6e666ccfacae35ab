//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 2
// The label stands before an if; the process waits at the guards of that if.
byte x;

active proctype p() {
  x = 1;
end:
  if
  :: x == 2 -> assert(false)
  :: x == 3 -> assert(false)
  fi
}
