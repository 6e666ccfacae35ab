//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 22
// A send guard beside else: before the receiver is ready the else is taken, once
// it is ready the handshake is.
chan q = [0] of { byte };
bool ready;
byte r;

active proctype s() {
  if
  :: q!1 -> r = 1
  :: else -> r = 2; q!1
  fi;
  assert(r == 1 || r == 2)
}

active proctype t() {
  ready = true;
  q?1
}
