//@ verdict: holds
//@ errors: 0
//@ states: 33
//@ transitions: 46
//@ check: --ltl finished => violated
//@ check: --ltl finished --fair weak => holds
//@ check: --ltl stopped => violated
//@ check: --ltl stopped --fair weak => holds
// One process counts until another stops it; under weak fairness the stop comes.
byte n;
bool stop, done;

ltl finished { <> done }
ltl stopped { <>[] (done && stop) }

active proctype counter() {
  do
  :: stop -> break
  :: else -> n = (n + 1) % 3
  od;
  done = true
}

active proctype stopper() {
  stop = true
}
