//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A loop made of a label and a goto.  A goto to a label takes a step of its own only
// where SPIN gives it one; the count of states pins that down.
active proctype main() {
  byte n;
again:
  n++;
  if
  :: n < 3 -> goto again
  :: n == 3 -> skip
  fi;
  assert(n == 3)
}
