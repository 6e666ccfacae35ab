//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 5
//@ check: --never => holds, states 2
// A claim does not see the states inside an atomic sequence.
byte x;

never {
  do
  :: x != 1
  :: x == 1 -> break
  od
}

active proctype P() {
  do
  :: atomic { x = 1; x = 2 }
  :: atomic { x = 1; x = 0 }
  od
}
