//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 13
// P@label is true while the process stands at that label, that is, while the labelled
// statement is the next one to be executed.  The worker waits there for the signal, so
// the waiter cannot miss it.
byte x;
bool signal;

active proctype worker() {
  x = 1;
crit:
  signal;
  x = 2
}

active proctype waiter() {
  worker@crit;
  assert(x == 1);
  signal = true
}
