//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// q!m(a, b) is the same as q!m, a, b, and the two notations may be mixed.
mtype = { move };
chan q = [2] of { mtype, byte, byte };
byte a, b;

active proctype main() {
  q!move(1, 2);
  q!move, 3, 4;
  q?move, a, b;
  assert(a == 1 && b == 2);
  q?move(a, b);
  assert(a == 3 && b == 4);
}
