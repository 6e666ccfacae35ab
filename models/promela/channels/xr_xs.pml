//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// xr and xs declare who reads and who writes a channel; they do not change the states.
chan q = [1] of { byte };

active proctype writer() {
  xs q;
  q!1;
  q!2
}

active proctype reader() {
  xr q;
  q?1;
  q?2
}
