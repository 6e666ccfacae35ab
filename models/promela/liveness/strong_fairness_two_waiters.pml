//@ verdict: holds
//@ errors: 0
//@ states: 26
//@ transitions: 56
//@ check: --ltl both_served --fair weak => violated
//@ check: --ltl both_served --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl both_served => violated
// A lamp that goes on for a moment; two waiters need one moment each.
bool lamp;
bool seen[3];

ltl both_served { <> (seen[1] && seen[2]) }

active proctype blink() {
  do
  :: lamp = true;
     lamp = false
  od
}

active [2] proctype waiter() {
  lamp -> seen[_pid] = true
}
