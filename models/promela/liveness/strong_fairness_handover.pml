//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl all --fair weak => violated
//@ check: --ltl all --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl any => holds
// A token that is put down and taken up by the process that is quick enough.
bool lying = true;
byte holder = 3;

ltl all { []<> (holder == 0) && []<> (holder == 1) }
ltl any { []<> (holder != 3) }

active [3] proctype player() {
  do
  :: atomic { lying -> lying = false; holder = _pid };
     atomic { holder = 3; lying = true }
  od
}
