//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// Macros that expand to constants may stand in the list.
#define K 4
#define L K
byte a[3] = { K, L, 1 };

active proctype main() {
  assert(a[0] == 4 && a[1] == 4 && a[2] == 1)
}
