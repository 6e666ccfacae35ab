//@ verdict: error
//@ error: #endif
// A conditional part without an end.
#if 1
active proctype main() { skip }
