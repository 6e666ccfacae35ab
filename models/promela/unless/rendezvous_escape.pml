//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 15
// The escape begins with a rendezvous receive.  A handshake is made by the sender, so
// a waiting sender does not hold up the main part: the loop goes on with both values
// of x until the sender chooses to move.
chan q = [0] of { byte };
byte x, r;

active proctype main() {
  {
    do
    :: x = 1 - x
    od
  } unless {
    q?r
  }
  assert(r == 4)
}

active proctype sender() {
  q!4
}
