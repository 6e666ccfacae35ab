//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --non-progress => holds, states 12
//@ check: --ltl first_works --fair weak => violated
//@ check: --ltl first_works --fair strong => holds (spin: it has no strong fairness)
// The system as a whole makes progress while one of its processes may starve.
bool free = true, first;

ltl first_works { []<> first }

active [2] proctype user() {
  do
  :: atomic { free -> free = false };
progress:
     if
     :: _pid == 0 -> first = true; first = false
     :: else
     fi;
     free = true
  od
}
