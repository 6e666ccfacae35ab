//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ check: --never => violated
// A claim that comes to its end while the system stands still.
byte x;

never {
  x == 0;
  x == 1;
  x == 1;
  x == 1
}

active proctype P() {
  x = 1
}
