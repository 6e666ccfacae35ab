//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A for loop inside atomic and inside d_step.
byte a, b;

active proctype main() {
  byte i;
  atomic {
    for (i : 1 .. 3) { a = a + i }
    i = 0
  }
  d_step {
    for (i : 1 .. 3) { b = b + i }
    i = 0
  }
  assert(a == 6 && b == 6)
}
