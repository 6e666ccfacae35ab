//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A message with fields of all types at once.
mtype = { m1, m2 };
chan q = [1] of { bit, bool, byte, short, int, mtype, pid, chan };
bit a; bool b; byte c; short d; int e; mtype f; pid g; chan h;

active proctype main() {
  q!1, true, 200, -300, 70000, m2, _pid, q;
  q?a, b, c, d, e, f, g, h;
  assert(a && b && c == 200 && d == -300 && e == 70000 && f == m2 && g == 0 && h == q)
}
