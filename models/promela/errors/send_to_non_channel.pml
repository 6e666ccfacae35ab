//@ verdict: error
//@ error: n
// A byte is not a channel.
byte n;

active proctype main() { n!1 }
