//@ verdict: error
//@ error: n
// A byte has no fields.
byte n;

active proctype main() { n.f = 1 }
