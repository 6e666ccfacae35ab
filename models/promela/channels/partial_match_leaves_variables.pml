//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// The second field does not match, so the receive is not executable and the first
// variable keeps its value.
chan q = [1] of { byte, byte };
byte x = 9;

active proctype main() {
  q!1, 2;
  if
  :: q?x, 3 -> assert(false)
  :: len(q) == 1 -> skip
  fi;
  assert(x == 9)
}
