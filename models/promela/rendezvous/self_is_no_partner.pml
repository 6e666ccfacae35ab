//@ verdict: violated
//@ errors: 1
//@ states: 1
//@ transitions: 1
//@ violation: invalid end state
// A process cannot shake hands with itself.
chan q = [0] of { byte };

active proctype p() {
  byte v;
  if
  :: q!1
  :: q?v
  fi
}
