//@ verdict: holds
// A macro is not expanded again inside its own expansion, directly or over another one.
#define x (x + 1)
#define a b
#define b a

byte c;

init {
  byte a = 5;
  c = a;
  assert(c == 5 && b == 5)
}
