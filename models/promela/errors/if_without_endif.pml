//@ verdict: error
//@ error: #if
// A conditional part without an end.
#if 1
active proctype main() { skip }
