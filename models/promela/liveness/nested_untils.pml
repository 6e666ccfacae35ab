//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --ltl right_nested => holds
//@ check: --ltl left_nested => holds
//@ check: --ltl middle_missing => holds
//@ check: --ltl strict_order => violated
//@ check: --ltl too_long => violated
//@ check: --ltl inside_always => holds
// Phases that follow each other, written as untils inside untils.
byte phase;

ltl right_nested { (phase == 0) U ((phase == 1) U ((phase == 2) U (phase == 3))) }
ltl left_nested { (((phase == 0) U (phase == 1)) U (phase == 2)) U (phase == 3) }
ltl middle_missing { (phase < 2) U (phase == 2) }
ltl strict_order { (phase == 0) U ((phase == 1) && ((phase == 1) U ((phase == 2) && ((phase == 2) U (phase == 4))))) }
ltl too_long { (phase == 0) U ((phase == 1) U (phase == 3)) }
ltl inside_always { [] ((phase == 1) -> ((phase == 1) U ((phase == 2) U (phase == 3)))) }

active proctype phases() {
  do
  :: phase < 3 -> phase++
  :: phase == 3 -> phase = 0
  od
}
