//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// ## joins two pieces to one name; the arguments are not expanded before.
#define VAR(a, n) a##n
#define DECL(n) byte v##n = n
#define ONE 1

DECL(1);
DECL(2);
byte xONE = 9;

active proctype main() {
  VAR(v, 1) = VAR(v, 1) + VAR(v, 2);
  assert(v1 == 3 && v2 == 2);
  VAR(x, ONE)++;
  assert(xONE == 10)
}
