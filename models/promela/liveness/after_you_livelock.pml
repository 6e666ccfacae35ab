//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 27
//@ check: --ltl resolved => violated
//@ check: --ltl resolved --fair weak => violated
//@ check: --ltl resolved --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl gives_way => holds
//@ check: --ltl first_enters => violated
// Two processes that wait for each other give way on timeout, and may do so in turn for ever.
bool wants[2], inside[2];

ltl resolved { []<> (inside[0] || inside[1]) }
ltl gives_way { [] (wants[0] && wants[1] -> <> (!wants[0] || !wants[1])) }
ltl first_enters { []<> inside[0] }

active [2] proctype user() {
  do
  :: wants[_pid] = true;
     if
     :: !wants[1 - _pid] -> inside[_pid] = true; inside[_pid] = false
     :: timeout
     fi;
     wants[_pid] = false
  od
}
