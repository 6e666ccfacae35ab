//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// && binds tighter than ||, ! tighter than a comparison, and comparisons tighter
// than equality.
int zero, one = 1, two = 2;

active proctype main() {
  assert(one || one && zero);
  assert(!((one || one) && zero));
  assert(!two == zero);
  assert(two > one == one);
  assert(one + one * two == 3);
  assert(two - one - one == 0);
  assert(!zero && !zero || zero)
}
