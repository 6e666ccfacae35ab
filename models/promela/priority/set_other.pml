//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// The first process lowers the second below the third and thereby changes who comes next.
byte x;

active proctype a() priority 9 {
  set_priority(1, 2);
  assert(get_priority(1) == 2 && x == 0)
}

active proctype b() priority 6 {
  assert(x == 3);
  x = 2
}

active proctype c() priority 4 {
  assert(x == 0);
  x = 3
}
