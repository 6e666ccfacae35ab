//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 7
//@ check: --never => violated
// _last in a claim: the process that moved last; here the second one moves twice in a row.
byte x;

never {
  do
  :: true
  :: _last == 1 -> break
  od;
  _last == 1
}

active proctype P() {
  do
  :: x = 1
  od
}

active proctype Q() {
  do
  :: x = 2
  od
}
