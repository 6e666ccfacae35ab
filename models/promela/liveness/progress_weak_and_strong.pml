//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 8
//@ check: --non-progress => violated
//@ check: --non-progress --fair weak => violated
//@ check: --non-progress --fair strong => holds (spin: it has no strong fairness)
// The process with the label can move now and then only.
bit x;

active proctype flip() {
  do
  :: x = 1 - x
  od
}

active proctype worker() {
  do
  :: x == 1 ->
progress:
     skip
  od
}
