//@ verdict: violated
//@ errors: 2
//@ states: 8
//@ transitions: 8
//@ violation: assertion
// A bool field keeps one bit of what is sent, also with the sorted send.
chan q = [2] of { bool };
byte x;

active proctype main() {
  q!!6;
  q!!5;
  q?x;
  assert(x == 0);
  q?x;
  assert(x == 1)
}
