//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// Unary minus, ! and ~ nest and bind tighter than any binary operator.  The two
// exclamation marks need a space, for !! is the sorted send.
int x = 5;

active proctype main() {
  int y;
  y = -x + 1;
  assert(y == -4);
  y = ~x;
  assert(y == -6);
  y = - -x;
  assert(y == 5);
  y = ! !x;
  assert(y == 1);
  y = -x * -2;
  assert(y == 10);
  y = ~~x - -1;
  assert(y == 6)
}
