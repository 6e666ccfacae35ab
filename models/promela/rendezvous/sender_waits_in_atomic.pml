//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 22
// No partner is ready when the sequence reaches its send, so it blocks there and gives up control.
chan q = [0] of { byte };
byte x, y;

active proctype s() {
  atomic { x = 1; q!1; x = 2 }
}

active proctype r() {
  y = x;
  q?1;
  assert(y == 0 || y == 1)
}
