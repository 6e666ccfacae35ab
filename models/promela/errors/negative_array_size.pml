//@ verdict: error
//@ error: array
// The length of an array must be positive.
byte a[-1];

active proctype main() { skip }
