//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 27
// A rendezvous send in an atomic sequence passes control to the receiver, which is in
// an atomic sequence as well: it runs to its end without interruption by r.
chan q = [0] of { byte };
byte x, bad;

active proctype p() {
  atomic { x = 1; q!5; x = 9 }
}

active proctype s() {
  byte v;
  atomic { q?v; x = 2; x = 3; x = v }
}

active proctype r() {
  if
  :: x == 2 || x == 3 -> bad = 1
  :: else -> skip
  fi;
  assert(!bad)
}
