//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 26
// Each worker takes its own message out of the common channel, in any order.
chan q = [2] of { byte, byte };

active proctype boss() {
  q!1, 11;
  q!2, 12
}

active [2] proctype worker() {
  byte v;
  q??eval(_pid), v;
  assert(v == 10 + _pid)
}
