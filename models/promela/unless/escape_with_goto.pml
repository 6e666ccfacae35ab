//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// The escape jumps back to the start; the second time the counter is high enough.
byte n;

active proctype main() {
again:
  {
    do
    :: n < 10 -> n++
    :: n >= 10 -> break
    od
  } unless {
    n == 4 -> n = 8; goto again
  }
  assert(n == 10)
}
