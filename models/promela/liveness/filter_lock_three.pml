//@ verdict: holds
//@ errors: 0
//@ states: 2145
//@ transitions: 5386
//@ check: --ltl exclusion => holds
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters --fair weak => holds
//@ check: --ltl who_waits_enters --fair weak => holds
// Peterson's lock for three processes, in two levels.
byte level[3], last_[3];
byte inside;
bool in0;

ltl exclusion { [] (inside <= 1) }
ltl first_enters { []<> in0 }
ltl who_waits_enters { [] (level[0] > 0 -> <> in0) }

active [3] proctype user() {
  byte l;

  do
  :: l = 1;
     do
     :: l < 3 ->
        level[_pid] = l;
        last_[l] = _pid;
        (last_[l] != _pid
          || (level[(_pid + 1) % 3] < l && level[(_pid + 2) % 3] < l));
        l++
     :: l == 3 -> break
     od;
     atomic { inside++; in0 = in0 || _pid == 0 };
     atomic { inside--; in0 = in0 && _pid != 0; l = 0 };
     level[_pid] = 0
  od
}
