//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 33
//@ check: --ltl first_enters => violated
//@ check: --ltl first_enters --fair weak => violated
//@ check: --ltl first_enters --fair strong => violated (spin: it has no strong fairness)
// A user that asks for the lock in a loop instead of waiting for it. It can always move, so every
// scheduler is fair to it, and yet it may ask at the wrong moment each time: not even strong fairness
// saves it. Compare with starvation.pml.

bool locked;
bool inside[2];

ltl first_enters { []<> inside[0] }

active [2] proctype user() {
  do
  :: atomic {
       if
       :: !locked -> locked = true
       :: else -> goto again
       fi
     };
     inside[_pid] = true;
     inside[_pid] = false;
     locked = false;
again:
     skip
  od
}
