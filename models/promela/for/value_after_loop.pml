//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// After the loop the variable is one beyond the upper bound.
active proctype main() {
  byte i;
  for (i : 2 .. 4) {
    skip
  }
  assert(i == 5)
}
