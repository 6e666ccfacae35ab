//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// A record handed over in a handshake.
typedef msg { byte a; byte b[2] };
chan q = [0] of { byte, byte };

active proctype s() {
  msg m;
  m.a = 1; m.b[1] = 2;
  q!m.a, m.b[1]
}

active proctype r() {
  msg n;
  q?n.b[0], n.a;
  assert(n.b[0] == 1 && n.a == 2)
}
