//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 8
// A channel that is a field of a record in an array is given to a child.
typedef port { chan c = [0] of { byte }; byte n };
port p[2];

proctype child(chan c; byte v) {
  c!v
}

init {
  byte r;
  run child(p[1].c, 6);
  p[1].c?r;
  assert(r == 6)
}
