//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// Fields may stand on lines of their own, several names may share one type, and a
// semicolon may follow the last field and the closing brace.
typedef point {
  int x, y;
  byte tag[2];
};
point p, q;

active proctype main() {
  p.x = 3; p.y = -3; q.tag[1] = 1;
  assert(p.x + p.y + q.tag[1] == 1)
}
