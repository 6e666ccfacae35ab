//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 2
// A hidden variable is not part of the state.  The loop counts in it, yet the states
// after each round are all the same one, so the search ends at once.
hidden int count;

active proctype main() {
  do
  :: count = count + 1
  od
}
