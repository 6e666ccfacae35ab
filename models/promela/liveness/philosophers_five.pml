//@ verdict: holds
//@ errors: 0
//@ states: 70
//@ transitions: 220
//@ check: --ltl somebody_eats => holds
//@ check: --ltl first_eats --fair weak => violated
//@ check: --ltl first_eats --fair strong => holds (spin: it has no strong fairness)
//@ check: --non-progress => holds, states 129
// Five philosophers, the last of whom begins on the other side.
#define N 5
bool taken[N], eats;
byte eating;

ltl somebody_eats { []<> (eating > 0) }
ltl first_eats { []<> eats }

active [N] proctype philosopher() {
  do
  :: atomic {
       if
       :: _pid < N - 1 && !taken[_pid] -> taken[_pid] = true
       :: _pid == N - 1 && !taken[0] -> taken[0] = true
       fi
     };
     atomic {
       if
       :: _pid < N - 1 && !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true
       :: _pid == N - 1 && !taken[N - 1] -> taken[N - 1] = true
       fi;
       eats = eats || _pid == 0;
       eating++
     };
progress_eating:
     atomic { eating--; eats = eats && _pid != 0; taken[_pid] = false; taken[(_pid + 1) % N] = false }
  od
}
