//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
// After a receive the freed slot must not keep a trace of the old message: the two
// branches end in the same state.
chan q = [2] of { byte };

active proctype main() {
  if
  :: q!1; q?1
  :: q!2; q?2
  fi;
  skip
}
