//@ verdict: error
//@ error: c_decl
//@ spin: no - SPIN accepts embedded C declarations, Lariat refuses them
// An embedded C declaration.
c_decl { typedef int number; };

active proctype main() { skip }
