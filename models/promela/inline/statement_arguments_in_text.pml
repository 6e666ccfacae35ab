//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A parameter name that is only part of a longer word, or stands in a string, is not
// replaced in the longer word.
byte n, nn = 7, x;

inline show_it(n) {
  nn = nn + n;
  printf("n and nn: %d %d\n", n, nn)
}

active proctype main() {
  show_it(2);
  assert(n == 0 && nn == 9);
  x = nn;
  show_it(x);
  assert(nn == 18)
}
