//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 17
//@ noclaim: the facts are those of the program alone
//@ check: --never => violated
// A claim that comes to its closing brace has seen enough: however the run goes on, it is a violation. A
// walk can stop there, without a lasso. Here a run must throw 1, 2 and 3 one after the other.
byte x;

active proctype dice() {
  do
  :: x = 0
  :: x = 1
  :: x = 2
  :: x = 3
  od
}

never {
  do
  :: true
  :: x == 1 -> break
  od;
  x == 2;
  x == 3
}
