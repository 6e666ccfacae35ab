//@ verdict: holds
//@ errors: 0
//@ states: 46
//@ transitions: 81
// Three stations pass one token; only its holder may work.
#define N 3
chan ring[N] = [1] of { bit };
byte working;

active [N] proctype station() {
  if
  :: _pid == 0 -> ring[0]!1
  :: else
  fi;
  do
  :: ring[_pid]?1 ->
     working++;
     assert(working == 1);
     working--;
     ring[(_pid + 1) % N]!1
  od
}
