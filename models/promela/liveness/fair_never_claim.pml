//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 12
//@ check: --never => violated
//@ check: --never --fair weak => violated
//@ check: --never --fair strong => holds (spin: it has no strong fairness)
// A claim under the three kinds of schedulers.
bool open, inside;

never {
  do
  :: true
  :: !inside -> goto accept_outside
  od;
accept_outside:
  do
  :: !inside
  od
}

active proctype door() {
  do
  :: open = !open
  od
}

active proctype visitor() {
  do
  :: open -> inside = true; inside = false
  od
}
