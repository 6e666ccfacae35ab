//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 17
//@ check: --ltl somebody_eats => holds
//@ check: --ltl first_eats --fair weak => violated
//@ check: --ltl first_eats --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl no_neighbours => holds
// Four philosophers who take both forks in one step: two neighbours can conspire against the one between.
#define N 4
bool taken[N], eating[N];

ltl somebody_eats { []<> (eating[0] || eating[1] || eating[2] || eating[3]) }
ltl first_eats { []<> eating[0] }
ltl no_neighbours { [] !(eating[0] && eating[1]) }

active [N] proctype philosopher() {
  do
  :: atomic {
       !taken[_pid] && !taken[(_pid + 1) % N] ->
       taken[_pid] = true; taken[(_pid + 1) % N] = true; eating[_pid] = true
     };
     atomic { eating[_pid] = false; taken[_pid] = false; taken[(_pid + 1) % N] = false }
  od
}
