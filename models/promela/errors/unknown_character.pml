//@ verdict: error
//@ error: backquote
// A character that has no place in Promela.
byte x;

active proctype main() { x = 1 ` 2 }
