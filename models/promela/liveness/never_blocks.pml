//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
//@ check: --never => holds, states 3
// A claim that cannot follow a run lets it go: what comes after is not looked at.
byte x;

never {
  x == 0;
  x == 1;
  x == 1;
accept:
  do
  :: true
  od
}

active proctype P() {
  x = 1;
  x = 2;
  x = 1
}
