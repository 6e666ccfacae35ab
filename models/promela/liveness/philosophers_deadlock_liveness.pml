//@ verdict: violated
//@ errors: 1
//@ states: 14
//@ transitions: 28
//@ violation: invalid end state
//@ check: --ltl somebody_eats => violated
//@ check: --ltl first_eats --fair weak => violated
//@ check: --ltl eats_or_deadlock => holds
//@ check: --ltl deadlock_is_final => holds
// Philosophers who all take the left fork first: the promise fails in the deadlock, which lasts.
#define N 3
bool taken[N], eating[N];
byte holding;

#define eats (eating[0] || eating[1] || eating[2])
#define stuck (holding == N)

ltl somebody_eats { []<> eats }
ltl first_eats { []<> eating[0] }
ltl eats_or_deadlock { []<> eats || <>[] stuck }
ltl deadlock_is_final { [] (stuck -> [] stuck) }

active [N] proctype philosopher() {
  do
  :: atomic { !taken[_pid] -> taken[_pid] = true; holding++ };
     atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true; holding--; eating[_pid] = true };
     atomic { eating[_pid] = false; taken[(_pid + 1) % N] = false; taken[_pid] = false }
  od
}
