//@ verdict: violated
//@ errors: 1
//@ states: 47
//@ transitions: 70
//@ violation: assertion
// Two processes read, add and write without protection; one update can get lost.
byte n;

active [2] proctype p() {
  byte t;
  t = n;
  n = t + 1
}

active proctype watch() {
  (_nr_pr == 3);
  (n > 0);
  do
  :: n == 2 -> break
  :: timeout -> assert(n == 2); break
  od
}
