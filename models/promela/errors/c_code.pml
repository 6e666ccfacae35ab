//@ verdict: error
//@ error: c_code
//@ spin: no - SPIN accepts embedded C code, Lariat refuses it
// Embedded C code cannot be checked by a tool that does not compile C.
int x;

active proctype main() {
  c_code { now.x = 3; };
  assert(x == 3)
}
