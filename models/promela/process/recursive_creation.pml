//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 17
// A process may create an instance of itself; the depth is bounded by the parameter.
byte deepest;

proctype p(byte n) {
  if
  :: n < 3 -> run p(n + 1)
  :: else -> deepest = n
  fi
}

init {
  run p(0);
  (_nr_pr == 1);
  assert(deepest == 3)
}
