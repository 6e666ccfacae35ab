//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// Globals are initialised in the order of their declarations and may use earlier ones.
int a = 3;
int b = a + 1;
int c = a * b;

active proctype main() {
  assert(a == 3 && b == 4 && c == 12)
}
