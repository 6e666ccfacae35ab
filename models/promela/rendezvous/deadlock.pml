//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
// Both want to send first: no process receives.
chan a = [0] of { byte };
chan b = [0] of { byte };

active proctype p() {
  a!1;
  b?1
}

active proctype q() {
  b!1;
  a?1
}
