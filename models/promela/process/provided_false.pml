//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
// A provided clause that never holds stops the process before its first step: an
// invalid end state, as the process is not at its end.
bool never_set;

active proctype stuck() provided (never_set) {
  assert(false)
}
