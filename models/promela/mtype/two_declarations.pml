//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// A second declaration adds to the same set and continues the numbering after the
// first; within it, again, the last name has the lowest number.
mtype = { alpha, beta };
mtype = { delta, epsilon };

active proctype main() {
  assert(beta == 1 && alpha == 2);
  assert(epsilon == 3 && delta == 4)
}
