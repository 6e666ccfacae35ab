//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 2
//@ check: --acceptance => holds, states 1
// An accept label inside an atomic sequence is passed without being seen.
byte x;

active proctype P() {
  do
  :: atomic {
       x = 1;
accept:
       x = 2;
       x = 0
     }
  od
}
