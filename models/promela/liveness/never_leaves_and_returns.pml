//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --never => holds, states 6
// The claim's accepting state is left on every round and reached only from the first one.
byte x;

never {
first:
  do
  :: x == 0
  :: x == 1 -> goto accept
  od;
accept:
  do
  :: x == 2 -> goto rest
  od;
rest:
  do
  :: true
  od
}

active proctype P() {
  do
  :: x = 1;
     x = 2;
     x = 0
  od
}
