//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A loop made of a label and a goto.  The goto takes no step of its own: the guard in
// front of it leads straight to the label.
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
