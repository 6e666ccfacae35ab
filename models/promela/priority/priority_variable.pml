//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// _priority is the process's own priority and may be assigned.
byte x;

active proctype a() priority 6 {
  assert(_priority == 6);
  _priority = 2;
  assert(x == 1 && _priority == 2)
}

active proctype b() priority 4 {
  assert(x == 0);
  x = 1
}
