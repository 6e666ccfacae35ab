//@ verdict: error
//@ error: #endif
// An #endif that belongs to nothing.
active proctype main() { skip }
#endif
