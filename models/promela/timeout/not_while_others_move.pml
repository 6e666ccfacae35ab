//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// While the counter can still move, timeout is not executable, so it is seen only
// with the final value.
byte n;

active proctype counter() {
  do
  :: n < 4 -> n++
  :: n == 4 -> break
  od
}

active proctype watch() {
  timeout;
  assert(n == 4)
}
