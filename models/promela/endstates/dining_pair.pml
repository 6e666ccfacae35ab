//@ verdict: violated
//@ errors: 1
//@ states: 23
//@ transitions: 29
//@ violation: invalid end state
// Two processes take two locks in opposite order.
bool a, b;

active proctype p() {
  atomic { !a -> a = true };
  atomic { !b -> b = true };
  a = false;
  b = false
}

active proctype q() {
  atomic { !b -> b = true };
  atomic { !a -> a = true };
  b = false;
  a = false
}
