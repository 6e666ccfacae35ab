//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 13
// Fields of a typedef truncate like plain variables.
typedef rec { bit t; byte b; unsigned u : 4; short s };
rec r;

active proctype main() {
  r.t = 2; r.b = 511; r.u = 17; r.s = 32768;
  assert(r.t == 0);
  assert(r.b == 255);
  assert(r.u == 1);
  assert(r.s == -32768);
  r.u--; r.u--;
  assert(r.u == 15)
}
