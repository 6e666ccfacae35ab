//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 47
//@ check: --ltl somebody_eats => holds
//@ check: --ltl first_eats => violated
//@ check: --ltl first_eats --fair weak => violated
//@ check: --ltl first_eats --fair strong => holds (spin: it has no strong fairness)
// Dining philosophers without deadlock: the last one begins on the other side. Somebody always eats
// again, but one of them may be hungry for ever while a neighbour takes the fork each time. Weak
// fairness does not prevent this; strong fairness does.

#define N 3

bool taken[N], eating[N];

ltl somebody_eats { []<> (eating[0] || eating[1] || eating[2]) }
ltl first_eats { []<> eating[0] }

active [N] proctype philosopher() {
  byte first = (_pid == N - 1 -> 0 : _pid);
  byte second = (_pid == N - 1 -> N - 1 : _pid + 1);

  do
  :: atomic { !taken[first] -> taken[first] = true };
     atomic { !taken[second] -> taken[second] = true; eating[_pid] = true };
     atomic { eating[_pid] = false; taken[second] = false };
     taken[first] = false
  od
}
