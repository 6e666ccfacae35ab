//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// A message left in a channel does not make an end state invalid.
chan q = [1] of { byte };

active proctype p() {
  q!1
}
