//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 33
//@ check: --ltl right_option --fair weak => violated
//@ check: --ltl right_option --fair strong => violated (spin: it has no strong fairness)
//@ check: --ltl right_process --fair weak => holds
// Fairness speaks of processes, not of the options inside one.
bool by_option, by_process;

ltl right_option { <> by_option }
ltl right_process { <> by_process }

active proctype chooser() {
  byte x;

  do
  :: x = 1 - x
  :: by_option = true
  od
}

active proctype other() {
  by_process = true
}
