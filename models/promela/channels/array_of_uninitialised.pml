//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Elements of a channel array without an initialiser are set later by assignment.
chan a = [1] of { byte };
chan t[2];

active proctype main() {
  t[1] = a;
  t[1]!3;
  t[0] = t[1];
  t[0]?3;
  assert(t[0] == t[1] && empty(a))
}
