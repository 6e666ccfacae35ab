//@ verdict: violated
//@ errors: 1
//@ states: 5
//@ transitions: 5
//@ violation: invariant
//@ spin: no - it has no invariants
//@ invariant: g != 1 || main:a == 1
// The invariant is broken only between two steps that could be merged.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
  g = 2
}
