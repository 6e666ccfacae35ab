//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 14
// A rendezvous send in the middle of an atomic sequence with two possible partners: both are tried.
chan q = [0] of { byte };
byte who;

active proctype s() {
  atomic { who = 9; q!1; assert(who == 1 || who == 2 || who == 9) }
}

active [2] proctype r() {
end:
  q?1;
  who = _pid
}
