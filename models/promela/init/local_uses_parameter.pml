//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A local may be initialised from the parameters of its process.
proctype child(byte n; int k) {
  int s = n * k;
  assert(s == -6)
}

init {
  run child(2, -3)
}
