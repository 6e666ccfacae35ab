//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 11
//@ check: --never => violated
// enabled in a claim: the second process can move and is not let for ever.
bool b;

never {
  do
  :: true
  :: enabled(1) -> goto accept
  od;
accept:
  do
  :: enabled(1)
  od
}

active proctype P() {
  do
  :: b = !b
  od
}

active proctype Q() {
  b || !b
}
