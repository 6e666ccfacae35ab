//@ verdict: error
//@ error: child
//@ spin: no - SPIN 6.5.2 crashes on it
// Two parameters, one argument.
proctype child(byte a; byte b) { skip }

init { run child(1) }
