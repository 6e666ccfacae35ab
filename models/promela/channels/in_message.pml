//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A channel travels in a message; the answer comes back over it.
chan server = [1] of { byte, chan };

active proctype serve() {
  byte n;
  chan reply;
  server?n, reply;
  reply!n * 2
}

active proctype client() {
  chan mine = [1] of { byte };
  byte r;
  server!21, mine;
  mine?r;
  assert(r == 42)
}
