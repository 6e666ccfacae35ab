//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 13
//@ spin: no - SPIN rejects a line that begins with &&; measured with the guard in one line
// A guard continued with && after a closing parenthesis.  The guard is one condition:
// taken apart, its first half alone would let the process through.
byte x = 1, y;

active proctype p() {
  if
  :: (x == 1)
     && (y == 1) -> x = 2
  fi;
  assert(y == 1)
}

active proctype q() {
  y = 1
}
