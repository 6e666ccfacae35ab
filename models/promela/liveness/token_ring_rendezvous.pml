//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 31
//@ check: --ltl comes_round => holds
//@ check: --ltl comes_round --fair weak => holds
//@ check: --ltl stays => violated
// The same over channels without buffers: giver and taker step together.
#define N 3
chan ring[N] = [0] of { bit };
byte at;

ltl comes_round { []<> (at == 0) && []<> (at == 2) }
ltl stays { <>[] (at == 1) }

active [N] proctype node() {
  if
  :: _pid == 0 -> goto have
  :: else
  fi;
  do
  :: ring[_pid]?1;
have:
     at = _pid;
     ring[(_pid + 1) % N]!1
  od
}
