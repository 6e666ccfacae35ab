//@ verdict: holds
//@ errors: 0
//@ states: 22
//@ transitions: 22
// for (m in c) goes once round the messages of a channel, which keeps them all in
// their order.
typedef msg { byte v };
chan c = [3] of { msg };

active proctype main() {
  msg m;
  byte s;
  m.v = 4; c!m;
  m.v = 5; c!m;
  for (m in c) {
    s = s * 10 + m.v
  }
  assert(s == 45);
  assert(len(c) == 2);
  c?m;
  assert(m.v == 4)
}
