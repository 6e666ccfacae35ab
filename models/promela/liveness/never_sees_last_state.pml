//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --never => violated
// The claim looks at the last state, too, for ever.
byte x;

never {
  do
  :: true
  :: x == 2 -> goto accept
  od;
accept:
  do
  :: x == 2
  od
}

active proctype P() {
  x = 1;
  x = 2
}
