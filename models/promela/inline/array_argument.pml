//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// An element of an array and a record field as arguments.
typedef rec { byte f };
byte a[3];
rec r;

inline set(place, v) {
  place = v
}

inline set_at(i, v) {
  a[i] = v;
  a[i + 1] = v + 1
}

active proctype main() {
  set(a[1], 5);
  set(r.f, a[1] + 1);
  assert(a[1] == 5 && r.f == 6);
  set_at(1, a[1] * 2);
  assert(a[1] == 10 && a[2] == 21)
}
