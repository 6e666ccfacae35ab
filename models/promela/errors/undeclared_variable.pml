//@ verdict: error
//@ error: countr
// A misspelt variable.
byte counter;

active proctype main() {
  countr = 1
}
