//@ verdict: violated
//@ errors: 1
//@ states: 12
//@ transitions: 16
//@ violation: invalid end state
// The same server without the label: waiting for more requests is a deadlock.
chan q = [1] of { byte };

active proctype server() {
  do
  :: q?_ -> skip
  od
}

active proctype client() {
  q!1;
  q!2
}
