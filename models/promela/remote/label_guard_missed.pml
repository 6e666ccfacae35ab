//@ verdict: violated
//@ errors: 1
//@ states: 10
//@ transitions: 12
//@ violation: invalid end state
// Nothing holds the worker at the label, so the waiter may look too late and then
// waits for ever.
byte x;

active proctype worker() {
  x = 1;
crit:
  x = 2
}

active proctype waiter() {
  worker@crit;
  assert(x == 1 || x == 2)
}
