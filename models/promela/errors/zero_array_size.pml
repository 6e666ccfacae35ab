//@ verdict: error
//@ error: array
// An array without elements.
byte a[0];

active proctype main() { skip }
