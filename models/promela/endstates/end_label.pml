//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 16
// The server waits for ever at a label that begins with "end": a valid end state.
chan q = [1] of { byte };

active proctype server() {
endless:
  do
  :: q?_ -> skip
  od
}

active proctype client() {
  q!1;
  q!2
}
