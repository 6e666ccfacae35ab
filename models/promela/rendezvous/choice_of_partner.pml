//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
// A selection over sends: only those with a ready partner can be taken.
chan a = [0] of { byte };
chan b = [0] of { byte };
byte x;

active proctype s() {
  if
  :: a!1 -> assert(false)
  :: b!2 -> x = 2
  fi;
  assert(x == 2)
}

active proctype r() {
  b?2
}
