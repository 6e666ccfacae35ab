//@ verdict: violated
// One process waits at an end label, the other at none: the state is invalid.
bool go;

active proctype p() {
end1:
  go
}

active proctype q() {
  go
}
