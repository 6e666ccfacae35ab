//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A receive with a constant is executable only if the first message matches.
chan q = [2] of { byte, byte };
byte x;

active proctype main() {
  q!1, 10;
  q!2, 20;
  if
  :: q?2, x -> assert(false)
  :: q?1, x -> skip
  fi;
  assert(x == 10);
  q?2, 20
}
