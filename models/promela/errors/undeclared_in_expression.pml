//@ verdict: error
//@ error: limt
// A misspelt name inside an expression.
byte limit = 3, n;

active proctype main() {
  do
  :: n < limt -> n++
  :: else -> break
  od
}
