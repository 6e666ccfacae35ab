//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 18
//@ check: --ltl safe => holds
//@ check: --ltl walker_crosses => violated
//@ check: --ltl walker_crosses --fair weak => holds
//@ check: --ltl cars_flow => violated
//@ check: --ltl cars_flow --fair weak => holds
//@ check: --ltl no_walk_without_button => holds
// A pedestrian light with a button: it needs weak fairness to be turned on, and off again.
bool button, walk, drive = true;

ltl safe { [] !(walk && drive) }
ltl walker_crosses { [] (button -> <> walk) }
ltl cars_flow { []<> drive }
ltl no_walk_without_button { !walk W button }

active proctype control() {
  do
  :: button -> drive = false; walk = true; button = false; walk = false; drive = true
  od
}

active proctype walker() {
  do
  :: button = true
  od
}
