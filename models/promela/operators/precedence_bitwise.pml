//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 12
// As in C, & ^ and | bind less tightly than == and <, so 6 & 4 == 4 means
// 6 & (4 == 4).  Among themselves: & before ^ before |.
int six = 6;

active proctype main() {
  int r;
  r = (six & 4 == 4);
  assert(r == 0);
  r = ((six & 4) == 4);
  assert(r == 1);
  r = 1 | 6 & 3;
  assert(r == 3);
  r = 1 | 3 ^ 1;
  assert(r == 3);
  r = 7 ^ 2 & 3;
  assert(r == 5)
}
