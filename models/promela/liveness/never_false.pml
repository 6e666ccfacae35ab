//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --never => holds, states 1
// A claim that cannot take its first step forbids nothing.
byte x;

never {
  false
}

active proctype P() {
  do
  :: x = 1 - x
  od
}
