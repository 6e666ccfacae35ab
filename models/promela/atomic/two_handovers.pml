//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
// Control is handed from p to r and back to p, all in atomic sequences; w sees only the
// beginning or the end.
chan there = [0] of { byte };
chan back = [0] of { byte };
byte x;

active proctype p() {
  atomic { x = 1; there!1; back?2; x = 0 }
}

active proctype r() {
  atomic { there?1; x = 2; back!2 }
}

active proctype w() {
  assert(x == 0)
}
