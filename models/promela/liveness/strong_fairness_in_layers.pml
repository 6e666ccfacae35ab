//@ verdict: holds
//@ errors: 0
//@ states: 200
//@ transitions: 519
//@ check: --ltl all_pass --fair weak => violated
//@ check: --ltl all_pass --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl first_passes --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl third_passes --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl if_first_then_third --fair strong => holds (spin: it has no strong fairness)
// Three gates in one wheel, each of which can be avoided except the last: fair runs lie in layers.
byte gate;
bool passed[4];

ltl all_pass { <> (passed[1] && passed[2] && passed[3]) }
ltl first_passes { <> passed[1] }
ltl third_passes { <> passed[3] }
ltl if_first_then_third { []<> (gate == 1) -> <> (passed[1] && passed[3]) }

active proctype wheel() {
  do
  :: gate = 1; gate = 3; gate = 0
  :: gate = 2; gate = 3; gate = 0
  od
}

active [3] proctype walker() {
  gate == _pid -> passed[_pid] = true
}
