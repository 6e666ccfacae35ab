//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// Two macros that name each other: a becomes b becomes a, and there it stops, because
// a is not expanded again inside its own expansion.  Likewise b ends as b.
#define a b
#define b a

byte c, d;

init {
  byte a = 5;
  byte b = 6;
  c = a;
  d = b;
  assert(c == 5 && d == 6)
}
