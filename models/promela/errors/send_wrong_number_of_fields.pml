//@ verdict: error
//@ error: q
// A message of two fields sent with three values.
chan q = [1] of { byte, byte };

active proctype main() { q!1, 2, 3 }
