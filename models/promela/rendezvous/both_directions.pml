//@ verdict: holds
//@ errors: 0
//@ states: 20
//@ transitions: 27
// Two processes each offer to send or to receive on the same channel: two different
// handshakes are possible.
chan q = [0] of { byte };
byte sent;

active [2] proctype p() {
  byte v;
  if
  :: q!_pid + 1 -> sent = _pid + 1
  :: q?v
  fi;
  assert(sent <= 2)
}
