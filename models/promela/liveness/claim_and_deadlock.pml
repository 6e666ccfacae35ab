//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
//@ check: --never => violated
//@ check: --non-progress => holds, states 3
// A deadlocked model: the claim follows the last state for ever, while no cycle of the system exists.
bool p, q;

never {
  do
  :: true
  :: p && !q -> goto accept
  od;
accept:
  do
  :: p && !q
  od
}

active proctype P() {
  p = true;
  q
}
