//@ verdict: violated
//@ errors: 1
//@ violation: trace
//@ spin: no - it reports the choice as an error
// A 2 is a message like all others, and it ends the forbidden history: both must be tried.
chan c = [2] of { byte };

notrace {
  do
  :: c!_
  :: c!2 -> break
  od
}

active proctype s() {
  c!1; c!2
}
