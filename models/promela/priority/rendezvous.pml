//@ verdict: error
// A handshake between a high sender and a low receiver, while a middle process also wants to move:
// the send is executable because the receiver is ready.
chan q = [0] of { byte };
byte x;

active proctype low() priority 1 {
  q?1;
  x = 1
}

active proctype high() priority 9 {
  q!1
}

active proctype middle() priority 5 {
  assert(x == 0)
}
