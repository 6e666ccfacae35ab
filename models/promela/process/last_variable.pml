//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 35
// _last is the pid of the process that made the last step, and 0 before the first
// step.  Mentioning it makes it part of the state.
byte a, b;

active proctype p() {
  a = 1;
  a = 2
}

active proctype q() {
  (_last == 0);
  b = 1;
  assert(_last <= 1)
}
