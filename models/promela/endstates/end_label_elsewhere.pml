//@ verdict: violated
// The end label marks another statement than the one where the process waits.
bool go;

active proctype p() {
end:
  skip;
  go
}
