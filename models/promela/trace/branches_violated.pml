//@ verdict: violated
//@ errors: 1
//@ violation: trace
//@ spin: no - it reports the choice as an error
// Neither of the two branches of the trace goes on with the second message.
chan c = [2] of { byte };

trace {
  if
  :: c!1; c!2
  :: c!1; c!3
  fi
}

active proctype s() {
  c!1; c!4
}
