//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 12
//@ check: --never => violated
// A claim does see the state in which an atomic sequence waits.
byte x;
bool go;

never {
  do
  :: x != 1
  :: x == 1 -> break
  od
}

active proctype P() {
  do
  :: atomic { x = 1; go; x = 2; go = false }
  od
}

active proctype Q() {
  do
  :: go = true
  od
}
