//@ verdict: holds
//@ errors: 0
//@ states: 29
//@ transitions: 39
// Recursion with an answer over a private rendezvous channel.
proctype fact(int n; chan up) {
  chan down = [0] of { int };
  int r;
  if
  :: n <= 1 -> up!1
  :: else ->
     run fact(n - 1, down);
     down?r;
     up!n * r
  fi
}

init {
  chan c = [0] of { int };
  int r;
  run fact(4, c);
  c?r;
  assert(r == 24)
}
