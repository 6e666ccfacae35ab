//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
// One process waits at an end label, the other at none: the state is invalid.
bool go;

active proctype p() {
end1:
  go
}

active proctype q() {
  go
}
