//@ verdict: error
//@ error: }
// The closing brace of the process is missing.
byte x;

active proctype main() {
  x = 1;
  { x = 2
}
