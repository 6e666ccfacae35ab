//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 2
//@ check: --non-progress => violated
// A progress label inside an atomic sequence is passed without being seen.
byte x;

active proctype P() {
  do
  :: atomic {
       x = 1;
progress:
       x = 2;
       x = 0
     }
  od
}
