//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
// The escape begins with a rendezvous send.  The receiver is ready from the start, so
// the escape is executable at once and x never changes.
chan q = [0] of { byte };
byte x;

active proctype main() {
  {
    do
    :: x = 1 - x
    od
  } unless {
    q!4
  }
  assert(x == 0)
}

active proctype receiver() {
  byte r;
  q?r;
  assert(r == 4)
}
