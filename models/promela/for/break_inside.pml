//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 12
// break leaves a for loop early; the variable keeps its value.
active proctype main() {
  byte i;
  for (i : 0 .. 9) {
    if
    :: i == 2 -> break
    :: else
    fi
  }
  assert(i == 2)
}
