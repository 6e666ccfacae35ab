//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Buffered sends and receives in a d_step.
chan q = [2] of { byte, byte };
byte a, b, sum;

active proctype p() {
  q!1, 2;
  d_step {
    q?a, b;
    sum = a + b;
    a = 0; b = 0;
    q!sum, sum
  }
  assert(sum == 3 && len(q) == 1);
  d_step { q?eval(sum), a; sum = 0 }
  assert(a == 3)
}
