//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 26
//@ check: --non-progress => holds, states 35
// A child that ends its work, then a loop of the parent with a label.
byte x;

proctype child() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
  od
}

init {
  run child();
  x == 3;
  do
  :: x = 4;
progress:
     x = 5
  od
}
