//@ verdict: error
//@ error: child
// One parameter, two arguments.
proctype child(byte a) { skip }

init { run child(1, 2) }
