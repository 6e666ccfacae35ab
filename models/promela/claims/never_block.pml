//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ noclaim: yes
// A never claim in automaton form.
byte x;

never {
T0_init:
  do
  :: (x == 3) -> goto accept_all
  :: true
  od;
accept_all:
  skip
}

active proctype main() {
  x = 1;
  x = 2
}
