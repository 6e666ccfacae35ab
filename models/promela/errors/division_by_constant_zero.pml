//@ verdict: error
//@ error: zero
//@ spin: no - SPIN accepts the model and its verifier crashes at the division
// Division by the constant zero.
byte x = 1;

active proctype main() { x = x / 0 }
