//@ verdict: error
//@ error: red
// A name of an mtype is a constant.
mtype = { red, green };

active proctype main() { red = green }
