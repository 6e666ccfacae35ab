//@ verdict: holds
//@ errors: 0
//@ states: 85
//@ transitions: 193
// _pid is known when the locals are initialised.
byte total;

active [3] proctype p() {
  byte me = _pid * 10;
  total = total + me;
  (_nr_pr == 1 || total > 0 || me == 0);
  assert(me == 10 * _pid)
}
