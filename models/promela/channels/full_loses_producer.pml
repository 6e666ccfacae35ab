//@ verdict: holds
//@ errors: 0
//@ states: 36
//@ transitions: 45
//@ args: -m
// A fast sender and a slow receiver under message loss: the receiver sees an increasing
// selection of the messages and may see fewer than were sent.
chan q = [1] of { byte };

active proctype sender() {
  q!1; q!2; q!3
}

active proctype receiver() {
  byte v, last;
end:
  do
  :: q?v -> assert(v > last); last = v
  od
}
