//@ verdict: error
//@ error: found `=`
// The left side of an assignment must be a variable.
byte x;

active proctype main() { 5 = x }
