//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// The index may be any expression, also one over elements of another array.
byte a[4] = { 3, 2, 1, 0 };
byte b[2] = { 1, 3 };

active proctype main() {
  assert(a[a[0]] == 0);
  assert(a[a[a[1]]] == 2);
  a[b[1] - 2] = 7;
  assert(a[1] == 7);
  a[b[0]]++;
  assert(a[1] == 8);
  a[b[b[0] - 1] * 2] = a[b[0]] + 1;
  assert(a[2] == 9)
}
