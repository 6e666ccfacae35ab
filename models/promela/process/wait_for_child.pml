//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// The usual way to wait for the end of a child: (_nr_pr == 1).
byte result;

proctype child(byte a) {
  result = a + 1;
  result = result * 2
}

init {
  run child(4);
  (_nr_pr == 1);
  assert(result == 10)
}
