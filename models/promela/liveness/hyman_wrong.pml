//@ verdict: holds
//@ errors: 0
//@ states: 70
//@ transitions: 133
//@ check: --ltl exclusion => violated
//@ check: --ltl first_enters --fair weak => violated
//@ check: --ltl someone_enters --fair weak => holds
// H. Hyman's published algorithm for two processes (1966) keeps neither of its promises.
bool wants[2], inside[2];
byte turn;

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl first_enters { []<> inside[0] }
ltl someone_enters { []<> (inside[0] || inside[1]) }

active [2] proctype user() {
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
     do
     :: turn != _pid ->
        !wants[other];
        turn = _pid
     :: else -> break
     od;
     inside[_pid] = true;
     inside[_pid] = false;
     wants[_pid] = false
  od
}
