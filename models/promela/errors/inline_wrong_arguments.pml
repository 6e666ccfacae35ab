//@ verdict: error
//@ error: put
// An inline of two parameters called with one argument.
byte x;

inline put(a, b) { a = b }

active proctype main() { put(x) }
