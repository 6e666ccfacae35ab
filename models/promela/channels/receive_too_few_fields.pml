//@ verdict: violated
//@ errors: 2
//@ states: 8
//@ transitions: 8
//@ violation: missing pars in receive
// A receive that names fewer fields than the message has (SPIN warns): the remaining
// fields are dropped with the message.
chan q = [2] of { byte, byte };
byte x;

active proctype main() {
  q!1, 2;
  q!3, 4;
  q?x;
  assert(x == 1 && len(q) == 1);
  q?x;
  assert(x == 3 && empty(q))
}
