//@ verdict: holds
//@ errors: 0
//@ states: 33
//@ transitions: 50
//@ check: --ltl second_works => violated
//@ check: --ltl second_works --fair weak => holds
//@ check: --ltl ends => violated
//@ check: --ltl ends --fair weak => holds
//@ check: --ltl stopped_first => holds
// Fairness for processes that come later: one runs for ever, until the other one stops it.
bool stop, second, ended;
bit x;

ltl second_works { <> second }
ltl ends { <>[] ended }
ltl stopped_first { !ended W stop }

proctype runner() {
  do
  :: stop -> break
  :: else -> x = 1 - x
  od;
  ended = true
}

proctype stopper() {
  second = true;
  stop = true
}

init {
  run runner();
  run stopper()
}
