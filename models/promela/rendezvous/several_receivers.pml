//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// Three receivers are ready; every one of them can be the partner.
chan q = [0] of { byte };
byte winner = 9;

active proctype s() {
  q!1;
  end: false
}

active [3] proctype r() {
  end: q?1;
  winner = _pid;
  assert(winner >= 1 && winner <= 3)
}
