//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A receiver waiting for another constant is no partner.
chan q = [0] of { byte };
byte got;

active proctype s() {
  q!2
}

active proctype one() {
end:
  q?1;
  assert(false)
}

active proctype two() {
  q?2;
  got = 2
}
