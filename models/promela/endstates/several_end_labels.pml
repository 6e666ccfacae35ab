//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 2
// All names that begin with "end" count, also end0 and end_of_work.
bool go;

active proctype p() {
end0:
  go
}

active proctype q() {
  skip;
end_of_work:
  go
}
