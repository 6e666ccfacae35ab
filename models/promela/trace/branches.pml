//@ verdict: holds
//@ errors: 0
//@ spin: no - it reports the choice as an error
// Two branches of the trace begin with the same message.  The second one fits, so all is well.
chan c = [2] of { byte };

trace {
  if
  :: c!1; c!2
  :: c!1; c!3
  fi
}

active proctype s() {
  c!1; c!3
}
