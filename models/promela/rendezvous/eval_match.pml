//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 14
// Receivers pick their messages by their own pid.
chan q = [0] of { byte, byte };
byte r[3];

active proctype s() {
  q!1, 11;
  q!2, 12
}

active [2] proctype w() {
  q?eval(_pid), r[_pid];
  assert(r[_pid] == 10 + _pid)
}
