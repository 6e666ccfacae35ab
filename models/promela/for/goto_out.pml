//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// goto leaves two nested for loops.
active proctype main() {
  byte i, j;
  for (i : 0 .. 3) {
    for (j : 0 .. 3) {
      if
      :: i + j == 2 -> goto found
      :: else
      fi
    }
  }
  assert(false);
found:
  assert(i == 0 && j == 2)
}
