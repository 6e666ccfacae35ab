//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
//@ check: --ltl strong => violated
//@ check: --ltl weak => holds
//@ check: --ltl released => holds
//@ check: --ltl released_wrong => violated
//@ check: --ltl as_always => holds
// The weak until holds where the awaited never comes; the strong one does not.
bool working = true, done;

ltl strong { working U done }
ltl weak { working W done }
ltl released { done V working }
ltl released_wrong { working V done }
ltl as_always { [] working || <> done }

active proctype worker() {
  bit tick;

  do
  :: tick = 1 - tick
  :: atomic { done = true; break }
  od;
  working = false
}
