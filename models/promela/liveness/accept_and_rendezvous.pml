//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 2
//@ check: --acceptance => violated
//@ check: --acceptance --fair weak => violated
// A receiver that waits at its accept label between meetings.
chan c = [0] of { bit };

active proctype giver() {
  do
  :: c!1
  od
}

active proctype taker() {
accept:
  do
  :: c?1
  od
}
