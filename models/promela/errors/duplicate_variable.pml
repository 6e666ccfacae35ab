//@ verdict: error
//@ error: x
// Two globals of the same name.
byte x;
int x;

active proctype main() { x = 1 }
