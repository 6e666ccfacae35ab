//@ verdict: holds
//@ errors: 0
//@ states: 207
//@ transitions: 338
// Messages of two senders interleave, each sender's own order is kept.
chan q = [2] of { byte, byte };

active [2] proctype sender() {
  q!_pid, 1;
  q!_pid, 2
}

active proctype receiver() {
  byte who, n, last[2], k;
  do
  :: k < 4 -> q?who, n; assert(n == last[who] + 1); last[who] = n; k++
  :: else -> break
  od
}
