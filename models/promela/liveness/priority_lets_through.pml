//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 8
//@ check: --ltl low_moves => holds
//@ check: --ltl high_first => holds
//@ check: --ltl stays_busy => violated
// A process of high priority that waits for the low one.
bool ready, done;
byte rounds;

ltl low_moves { []<> done }
ltl high_first { !done U ready }
ltl stays_busy { <>[] ready }

active proctype high() priority 5 {
  do
  :: done = false; ready = true; done; ready = false
  od
}

active proctype low() priority 1 {
  do
  :: ready && !done -> done = true
  od
}
