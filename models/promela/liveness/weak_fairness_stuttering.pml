//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 11
//@ check: --ltl stays_one => violated
//@ check: --ltl stays_one --fair weak => violated (spin: its weak fairness misses runs that end in stuttering)
//@ check: --ltl stays_one --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl ends --fair weak => holds
// Both processes end, and the last value stays: fairness takes no finite run away.
byte n;

ltl stays_one { <>[] (n == 1) }
ltl ends { <>[] (n == 1) || <>[] (n == 2) }

active proctype P() { n = 1 }
active proctype Q() { n = 2 }
