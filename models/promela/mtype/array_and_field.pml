//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// mtype elements in an array and as a record field.
mtype = { on, off };
typedef lamp { mtype state = off; byte volts };
mtype a[2] = on;
lamp l[2];

active proctype main() {
  assert(a[0] == on && a[1] == on);
  assert(l[0].state == off && l[1].state == off);
  a[1] = l[0].state;
  l[1].state = a[0];
  assert(a[1] == off && l[1].state == on)
}
