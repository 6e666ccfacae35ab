//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Channels of two different mtype sets.
mtype:animal = { cat, dog };
mtype:number = { uno, due, tre };
chan a = [1] of { mtype:animal };
chan n = [1] of { mtype:number };
mtype:animal x;

active proctype main() {
  a!dog;
  n!tre;
  a?x;
  assert(x == dog);
  n?tre
}
