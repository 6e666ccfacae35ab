//@ verdict: error
//@ error: width
// The record has no such field.
typedef box { byte height };
box b;

active proctype main() { b.width = 1 }
