//@ verdict: error
//@ error: recrd
// A type that was never declared.
typedef record { byte f };
recrd r;

active proctype main() { r.f = 1 }
