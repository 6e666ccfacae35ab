//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --ltl holds_until_released => holds
//@ check: --ltl nested => holds
//@ check: --ltl nested_wrong => violated
//@ check: --ltl released_at_once => violated
//@ check: --ltl dual => holds
// Release inside release: each phase is guarded by the one before.
byte phase;
bool key;

ltl holds_until_released { key V (phase == 0) }
ltl nested { key V ((phase == 1) V (phase <= 1)) }
ltl nested_wrong { (phase == 1) V ((phase == 2) V (phase == 0)) }
ltl released_at_once { (phase == 1) V key }
ltl dual { ((phase == 1) V (phase == 0)) <-> !((phase != 1) U (phase != 0)) }

active proctype P() {
  key = true;
  phase = 1;
  do
  :: phase == 1 -> phase = 2
  :: phase == 2 -> phase = 1
  od
}
