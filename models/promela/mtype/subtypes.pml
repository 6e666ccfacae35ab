//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Named mtype sets are numbered separately, so names of two sets may share a number
// without being the same name.
mtype:fruit = { apple, pear };
mtype:colour = { red, green, blue };
mtype:fruit f = apple;
mtype:colour c;

active proctype main() {
  c = green;
  assert(f == apple && c == green);
  assert(pear == 1 && apple == 2);
  assert(blue == 1 && red == 3);
  f = pear;
  assert(f != apple)
}
