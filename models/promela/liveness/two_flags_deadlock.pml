//@ verdict: violated
//@ errors: 1
//@ states: 16
//@ transitions: 25
//@ violation: invalid end state
//@ check: --ltl exclusion => holds
//@ check: --ltl someone_enters => violated
//@ check: --ltl stuck => violated
//@ check: --ltl either => holds
//@ check: --ltl someone_enters --fair weak => violated
//@ check: --ltl someone_enters --fair strong => violated (spin: it has no strong fairness)
// Two flags without a turn: both may wait for each other, and the run stays in that state for ever.
bool wants[2], inside[2];

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl someone_enters { []<> (inside[0] || inside[1]) }
ltl stuck { <>[] (wants[0] && wants[1]) }
ltl either { <>[] (wants[0] && wants[1]) || []<> (inside[0] || inside[1]) }

active [2] proctype user() {
  do
  :: wants[_pid] = true;
     !wants[1 - _pid];
     inside[_pid] = true;
     inside[_pid] = false;
     wants[_pid] = false
  od
}
