//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 13
//@ check: --never => violated
// A timeout in a process and one in the claim are true at the same time.
bool a, b;

never {
  do
  :: !timeout
  :: timeout -> break
  od
}

active proctype P() { a = true; b; a = false }
active proctype Q() { a; timeout -> b = true }
