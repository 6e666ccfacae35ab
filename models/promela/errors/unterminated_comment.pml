//@ verdict: error
//@ error: comment
// The comment is never closed.
byte x;

active proctype main() { x = 1 } /* and so on
