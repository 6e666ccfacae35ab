//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// An empty macro vanishes; an empty argument is allowed.
#define NOTHING
#define APPLY(op, x) (op x)

byte n = 5;

active proctype NOTHING main NOTHING () {
  int r;
  r = APPLY(, n) + APPLY(-, 2);
  assert(r == 3) NOTHING
}
