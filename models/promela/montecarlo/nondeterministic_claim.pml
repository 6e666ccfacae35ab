//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 19
//@ check: --ltl on_again => violated
//@ check: --ltl steps_again => holds
//@ check: --ltl a_last_time => violated
// The automata for <>[] !on and for <> (on && [] !off) have to guess when the time has come. Who guesses
// too early is in a dead end: a walk in the product can fail there, although the run of the model on which
// it walked is a violation.
bool on, off, step;

ltl on_again { []<> on }
ltl steps_again { []<> step && []<> !step }
ltl a_last_time { !<> (on && [] !off) }

active proctype lamp() {
  do
  :: d_step { on = true; off = false; step = !step }
  :: d_step { on = false; off = true; step = !step }
  :: d_step { on = false; off = false; step = !step }
  od
}
