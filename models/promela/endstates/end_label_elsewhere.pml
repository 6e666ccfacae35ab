//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// The end label marks another statement than the one where the process waits.
bool go;

active proctype p() {
end:
  skip;
  go
}
