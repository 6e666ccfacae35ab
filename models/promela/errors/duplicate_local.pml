//@ verdict: error
//@ error: x
// Two locals of the same name in the same block.
active proctype main() {
  byte x;
  byte x;
  x = 1
}
