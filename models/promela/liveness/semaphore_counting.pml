//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 19
//@ check: --ltl never_three => holds
//@ check: --ltl sometimes_two => violated
//@ check: --ltl two_possible => violated
//@ check: --ltl second_enters --fair weak => violated
//@ check: --ltl second_enters --fair strong => holds (spin: it has no strong fairness)
// A counting semaphore for two of three users.
byte places = 2;
byte inside;
bool in_second;

ltl never_three { [] (inside <= 2) }
ltl sometimes_two { <> (inside == 2) }
ltl two_possible { [] !(inside == 2) }
ltl second_enters { []<> in_second }

active [3] proctype user() {
  do
  :: atomic { places > 0 -> places--; inside++; in_second = in_second || _pid == 1 };
     atomic { places++; inside--; in_second = in_second && _pid != 1 }
  od
}
