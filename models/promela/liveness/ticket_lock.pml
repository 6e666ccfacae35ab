//@ verdict: holds
//@ errors: 0
//@ states: 39
//@ transitions: 61
//@ check: --ltl served => holds
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters --fair weak => holds
//@ check: --ltl exclusion => holds
//@ check: --ltl in_order => holds
// Tickets make a queue: who has a ticket is served, and weak fairness is enough to come round again.
#define N 3
byte next_ticket, now_serving;
bool queued[2], inside[2];

ltl served { [] (queued[0] -> <> inside[0]) }
ltl first_enters { []<> inside[0] }
ltl exclusion { [] !(inside[0] && inside[1]) }
ltl in_order { [] (queued[0] && !queued[1] && !inside[1] -> (!inside[1] U inside[0])) }

active [2] proctype user() {
  byte mine;

  do
  :: atomic { mine = next_ticket; next_ticket = (next_ticket + 1) % N; queued[_pid] = true };
     atomic { now_serving == mine -> mine = 0; queued[_pid] = false; inside[_pid] = true };
     inside[_pid] = false;
     now_serving = (now_serving + 1) % N
  od
}
