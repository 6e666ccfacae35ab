//@ verdict: violated
//@ errors: 1
//@ states: 7
//@ transitions: 7
//@ violation: trace
// A notrace describes a forbidden history: a then b.  It happens, so this is an error.
mtype = { a, b };
chan q = [2] of { mtype };

notrace {
  q!a; q!b
}

active proctype s() {
  if
  :: q!a; q!b
  :: q!b; q!a
  fi
}
