//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// timeout may be part of an expression.
byte n;
bool flag = true;

active proctype counter() {
  n = 1;
  n = 2
}

active proctype watch() {
  (timeout && flag);
  assert(n == 2)
}
