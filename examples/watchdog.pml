//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 8
//@ check: --ltl repaired => holds
//@ check: --ltl works_again_and_again => violated
//@ check: --ltl works_or_resets => holds
//@ check: --ltl reset_only_when_hung => holds
//@ check: --ltl keeps_working => violated
// A worker that may hang, and a watchdog that wakes up only if nothing else can happen (timeout): a
// hung worker is always reset. It may hang every time it works, but it cannot hang for ever.

bool hung, working, resetting;

ltl repaired { [] (hung -> <> !hung) }
ltl works_again_and_again { []<> working }
ltl works_or_resets { []<> (working || resetting) }
ltl reset_only_when_hung { [] (resetting -> hung) }
ltl keeps_working { <>[] !hung }

active proctype worker() {
  do
  :: working = true;
     working = false
  :: hung = true;
     !hung
  od
}

active proctype watchdog() {
  do
  :: timeout ->
     resetting = true;
     atomic { resetting = false; hung = false }
  od
}
