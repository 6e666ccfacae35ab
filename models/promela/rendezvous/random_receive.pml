//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// ?? on a rendezvous channel behaves like ?.
chan q = [0] of { byte };

active proctype s() {
  q!3
}

active proctype r() {
  byte v;
  q??v;
  assert(v == 3)
}
