//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 26
// A ring of rendezvous channels kept in an array.
chan link[3] = [0] of { byte };

active [3] proctype node() {
  byte v;
  if
  :: _pid == 0 -> link[1]!1; link[0]?v; assert(v == 3)
  :: else -> link[_pid]?v; link[(_pid + 1) % 3]!v + 1
  fi
}
