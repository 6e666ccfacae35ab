//@ verdict: error
//@ error: red
// A name of an mtype that is a variable already.
byte red;
mtype = { red, green };

active proctype main() { red = 1 }
