//@ verdict: holds
//@ errors: 0
//@ states: 110
//@ transitions: 205
//@ check: --ltl exclusion => holds
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters --fair weak => holds
//@ check: --ltl who_wants_enters => violated
//@ check: --ltl who_wants_enters --fair weak => holds
//@ check: --ltl someone_enters --fair weak => holds
// Dekker's algorithm waits in loops, so without fairness the waiting one may run alone for ever.
bool wants[2], inside[2];
byte turn;

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl first_enters { []<> inside[0] }
ltl who_wants_enters { [] (wants[0] -> <> inside[0]) }
ltl someone_enters { []<> (inside[0] || inside[1]) }

active [2] proctype user() {
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
     do
     :: !wants[other] -> break
     :: wants[other] && turn == other ->
        wants[_pid] = false;
        turn == _pid;
        wants[_pid] = true
     :: wants[other] && turn == _pid -> skip
     od;
     inside[_pid] = true;
     inside[_pid] = false;
     turn = other;
     wants[_pid] = false
  od
}
