//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 15
//@ check: --ltl taken => violated
//@ check: --ltl taken --fair weak => holds (spin: for its weak fairness, who waits to receive in a rendezvous is blocked)
//@ check: --ltl taken --fair strong => holds (spin: it has no strong fairness)
// A taker that can always meet a giver, who may prefer to do something else.
chan c = [0] of { bit };
bit other;
bool got;

ltl taken { <> got }

active proctype giver() {
  do
  :: c!1
  :: other = 1 - other
  od
}

active proctype taker() {
  c?1;
  got = true
}
