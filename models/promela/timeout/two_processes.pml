//@ verdict: holds
//@ errors: 0
//@ states: 15
//@ transitions: 16
// Two processes wait for timeout.  Both become executable at once; after the first
// has moved, the second waits again until nothing else can move.
byte n;

active [2] proctype p() {
  timeout;
  n++;
  assert(n >= 1)
}
