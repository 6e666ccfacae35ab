//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 34
//@ args: -m
//@ check: --ltl sends => holds
//@ check: --ltl delivers => violated
//@ check: --ltl delivers --fair weak => holds
// Channels that lose messages when they are full: the sender never waits.
chan line = [1] of { bit };
bool sent, got;

ltl sends { []<> sent || <>[] !sent }
ltl delivers { []<> got }

active proctype sender() {
  do
  :: line!1; sent = true; sent = false
  od
}

active proctype receiver() {
  do
  :: line?1 -> got = true; got = false
  od
}
