//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 13
//@ check: --ltl first_sends => violated
//@ check: --ltl first_sends --fair weak => violated
//@ check: --ltl first_sends --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl somebody_sends => holds
// Two senders and one place: after each receipt either may be the first to fill it again.
chan c = [1] of { byte };
byte got = 3;

ltl first_sends { []<> (got == 0) }
ltl somebody_sends { []<> (got == 0) || []<> (got == 1) }

active [2] proctype sender() {
  do
  :: c!_pid
  od
}

active proctype receiver() {
  do
  :: c?got
  od
}
