//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// The names of one mtype declaration are numbered from the last one up: the last
// gets 1, the first the highest number.
mtype = { alpha, beta, gamma };

active proctype main() {
  assert(gamma == 1);
  assert(beta == 2);
  assert(alpha == 3);
  assert(alpha > beta)
}
