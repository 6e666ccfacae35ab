//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 19
// Locals of different processes may share a name and differ in type.
active proctype a() {
  byte v = 200;
  v = v + 100;
  assert(v == 44)
}

active proctype b() {
  int v = 200;
  v = v + 100;
  assert(v == 300)
}
