//@ verdict: error
//@ error: ;
// An expression that stops too early.
byte x;

active proctype main() { x = 1 + ; x = 2 }
