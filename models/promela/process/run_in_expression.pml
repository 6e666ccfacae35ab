//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
// run inside an arithmetic expression.
byte x;

proctype child() {
  skip
}

init {
  x = run child() + 10;
  assert(x == 11)
}
