//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 14
// A name of an mtype in a receive is a constant to be matched, not a variable.
mtype = { data, ack, nak };
chan q = [2] of { mtype, byte };
byte sum;

active proctype sender() {
  q!data(3);
  q!ack(4)
}

active proctype receiver() {
  byte v;
  do
  :: q?data(v) -> sum = sum + v
  :: q?nak(v)  -> assert(false)
  :: q?ack(v)  -> sum = sum + 10 * v; break
  od;
  assert(sum == 43)
}
