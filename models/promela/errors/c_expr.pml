//@ verdict: error
//@ error: c_expr
//@ spin: no - SPIN accepts embedded C expressions, Lariat refuses them
// An embedded C expression as a guard.
int x = 3;

active proctype main() {
  c_expr { now.x == 3 } -> x = 4
}
