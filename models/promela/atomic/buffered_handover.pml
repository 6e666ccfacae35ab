//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Sending to a buffer inside an atomic sequence does not pass control on.
chan q = [2] of { byte };
byte x;

active proctype p() {
  atomic { q!1; x = 1; q!2; x = 2 }
}

active proctype r() {
  q?1;
  assert(x == 2);
  q?2
}
