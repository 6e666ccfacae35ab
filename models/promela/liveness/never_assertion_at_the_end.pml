//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --never => violated
// An assertion of a claim that fails only while the system stands still.
byte x, y;

never {
  do
  :: x < 2
  :: x == 2 -> break
  od;
  x == 2;
  x == 2;
  assert(x != 2);
accept:
  false
}

active proctype P() {
  x = 1;
  x = 2
}
