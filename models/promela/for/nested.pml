//@ verdict: holds
//@ errors: 0
//@ states: 47
//@ transitions: 47
// Nested loops over a small matrix kept in a record array.
typedef row { byte c[2] };
row m[2];

active proctype main() {
  byte i, j, s;
  for (i : 0 .. 1) {
    for (j : 0 .. 1) {
      m[i].c[j] = 2 * i + j
    }
  }
  for (i in m) {
    for (j : 0 .. 1) {
      s = s + m[i].c[j]
    }
  }
  assert(s == 6)
}
