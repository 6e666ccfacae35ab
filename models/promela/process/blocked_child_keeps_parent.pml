//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// The child waits for ever, so the parent, which is at its end, cannot be removed; the child
// makes it an invalid end state.
bool never_set;

proctype child() {
  never_set
}

init {
  run child()
}
