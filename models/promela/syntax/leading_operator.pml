//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
//@ spin: no - SPIN rejects a line that begins with && or +; measured with each expression in one line
// An expression continued on a line that begins with its operator.
byte a = 1, b = 2;

active proctype main() {
  (a == 1)
    && (b == 2)
    -> a = a
      + b;
  assert(a == 3
    || b == 9)
}
