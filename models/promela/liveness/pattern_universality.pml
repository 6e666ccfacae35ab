//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --ltl globally => holds
//@ check: --ltl globally_wrong => violated
//@ check: --ltl before => holds
//@ check: --ltl before_wrong => violated
//@ check: --ltl after => holds
//@ check: --ltl after_wrong => violated
//@ check: --ltl between => holds
//@ check: --ltl between_wrong => violated
//@ check: --ltl after_until => holds
//@ check: --ltl after_until_wrong => violated
// Universality in its five scopes: an engine whose lamp burns from start to stop.
bool running, lamp, warm;

ltl globally { [] (running -> lamp) }
ltl globally_wrong { [] lamp }
ltl before { <> running -> (!warm U running) }
ltl before_wrong { <> warm -> (running U warm) }
ltl after { [] (warm -> [] warm) }
ltl after_wrong { [] (running -> [] lamp) }
ltl between { [] ((running && lamp && <> !running) -> (lamp U !running)) }
ltl between_wrong { [] ((lamp && !warm && <> warm) -> (running U warm)) }
ltl after_until { [] ((running && lamp) -> (lamp W !running)) }
ltl after_until_wrong { [] ((lamp && !warm) -> (running W warm)) }

active proctype engine() {
  do
  :: lamp = true;
     running = true;
     warm = true;
     running = false;
     lamp = false
  od
}
