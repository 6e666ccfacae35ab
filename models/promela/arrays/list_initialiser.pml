//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A list of constants in braces initialises the elements in order; each is truncated
// to the element type.
int a[3] = { 10, 70000, 30 };

active proctype main() {
  byte b[2] = { 1, 258 };
  assert(a[0] == 10 && a[1] == 70000 && a[2] == 30);
  assert(b[0] == 1 && b[1] == 2)
}
