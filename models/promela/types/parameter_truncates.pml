//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Parameters are truncated to the type of the formal parameter.
proctype child(byte b; short s; bit t; int i) {
  assert(b == 1 && s == -1 && t == 0 && i == 65535)
}

init {
  run child(257, 65535, 2, 65535)
}
