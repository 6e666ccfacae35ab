//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Truncation to the field type applies to a rendezvous handshake as well.
chan q = [0] of { byte };
int got;

active proctype sender() {
  q!513
}

active proctype receiver() {
  q?got;
  assert(got == 1)
}
