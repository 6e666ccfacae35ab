//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
//@ args: -m
// Message loss concerns full buffers only: a handshake still needs a partner.
chan q = [0] of { byte };

active proctype main() {
  q!1
}
