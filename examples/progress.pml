//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 49
//@ check: --non-progress => violated
//@ check: --non-progress --fair weak => violated
// What counts as work is marked with a progress label. A non-progress cycle is a run that goes on for
// ever and passes such a label only finitely often: here, busy talk about who begins.

byte work;
byte polite;

active [2] proctype worker() {
  do
  :: polite != _pid ->
     polite = _pid              /* after you! */
  :: polite == _pid ->
progress_work:
     work = 1 - work
  od
}
