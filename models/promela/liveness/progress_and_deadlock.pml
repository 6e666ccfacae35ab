//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
//@ check: --non-progress => holds, states 3
//@ check: --ltl moves => violated
// A deadlock is not a non-progress cycle, but it violates a formula.
bool a, b;

ltl moves { []<> (a && b) }

active proctype P() {
  do
  :: a = true;
     b;
progress:
     a = false
  od
}
