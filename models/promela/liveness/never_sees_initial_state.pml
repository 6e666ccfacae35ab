//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --never => violated
// The claim looks at the state before the first step.
byte x = 7;

never {
  x == 7
}

active proctype P() {
  x = 1;
  x = 2
}
