//@ verdict: error
//@ error: again
// The same label twice in one process.
byte x;

active proctype main() {
again:
  x = 1;
again:
  x = 2;
  goto again
}
