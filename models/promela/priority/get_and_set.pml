//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// get_priority and set_priority read and change the priority of a process by its pid.
byte x;

active proctype a() priority 3 {
  assert(get_priority(_pid) == 3);
  assert(x == 0);
  set_priority(_pid, 1);
  assert(x == 1);
  assert(get_priority(0) == 1)
}

active proctype b() priority 2 {
  x = 1
}
