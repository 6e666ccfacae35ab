//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// The smallest process: a single skip, then its end.
init { skip }
