//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --ltl enters --fair weak => violated
//@ check: --ltl enters --fair strong => violated (spin: it has no strong fairness)
// A process that waits for two things at once is never enabled if they alternate.
bool left, right = true, entered;

ltl enters { <> entered }

active proctype swing() {
  do
  :: atomic { left = !left; right = !right }
  od
}

active proctype visitor() {
  left && right -> entered = true
}
