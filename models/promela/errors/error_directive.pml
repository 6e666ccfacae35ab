//@ verdict: error
//@ error: limit not given
// The model insists on a definition from the command line.
#ifndef LIMIT
#error limit not given
#endif

active proctype main() { skip }
