//@ verdict: error
//@ error: 5
// The left side of an assignment must be a variable.
byte x;

active proctype main() { 5 = x }
