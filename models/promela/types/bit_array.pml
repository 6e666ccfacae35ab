//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// SPIN maps an array of bit or bool to an array of byte (and says so), hence an
// element keeps the value 2, whereas a single bit variable would become 0.
bit a[2];
bool single;

active proctype main() {
  a[0] = 2;
  a[1] = 259;
  single = 2;
  assert(a[0] == 2);
  assert(a[1] == 3);
  assert(single == 0)
}
