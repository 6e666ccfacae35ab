//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// The parameters of an inline are replaced by text: assigning to one assigns to the
// variable of the caller.
inline swap(a, b) {
  tmp = a;
  a = b;
  b = tmp
}

byte x = 1, y = 2, tmp;

active proctype main() {
  swap(x, y);
  assert(x == 2 && y == 1)
}
