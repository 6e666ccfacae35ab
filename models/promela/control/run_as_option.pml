//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 19
// Different kinds of guard in one selection: a run, an assignment, a send, a skip.
byte n;
chan q = [1] of { byte };

proctype child() { n = 1 }

init {
  if
  :: run child()
  :: n = 2
  :: q!3
  :: skip
  fi;
  assert(n <= 2 && len(q) <= 1)
}
