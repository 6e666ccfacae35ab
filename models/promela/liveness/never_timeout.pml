//@ verdict: violated
//@ errors: 1
//@ states: 3
//@ transitions: 3
//@ violation: invalid end state
//@ check: --never => violated (spin: where no process has a timeout, it takes the one in the claim for false)
// timeout in a claim: no process can move, which is how a claim sees a deadlock.
bool a, b;

never {
  do
  :: !timeout
  :: timeout -> break
  od
}

active proctype P() { a = true; b; a = false }
active proctype Q() { a; !a; b = true }
