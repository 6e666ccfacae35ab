//@ verdict: violated
//@ errors: 1
//@ states: 8
//@ transitions: 8
//@ violation: assertion
// A process lowers another one and thereby changes who moves next.
byte x;

active proctype a() priority 5 {
  set_priority(1, 2);
  x = 1;
  assert(get_priority(1) == 2)
}

active proctype b() priority 5 {
  assert(x == 0 || x == 1);
  x = 2
}
