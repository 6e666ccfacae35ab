//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 17
// A range over negative numbers with an int variable.
active proctype main() {
  int i, s;
  for (i : -2 .. 1) {
    s = s + i
  }
  assert(s == -2)
}
