//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
//@ check: --acceptance => holds, states 5
// Labels at every step of a finite run that ends after them.
byte x;

active proctype P() {
accept_a:
  x = 1;
accept_b:
  x = 2;
accept_c:
  x = 3
}
