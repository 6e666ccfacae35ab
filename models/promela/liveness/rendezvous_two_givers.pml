//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 7
//@ check: --ltl first_gives => violated
//@ check: --ltl first_gives --fair weak => holds
//@ check: --ltl first_gives --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl somebody_gives => holds
// Two givers and one taker: who meets is open.
chan c = [0] of { byte };
byte from = 3;

ltl first_gives { []<> (from == 0) }
ltl somebody_gives { []<> (from == 0) || []<> (from == 1) }

active [2] proctype giver() {
  do
  :: c!_pid
  od
}

active proctype taker() {
  do
  :: c?from
  od
}
