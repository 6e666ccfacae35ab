//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An inline may call another one and pass its parameters on.
inline incr(v) { v++ }
inline incr_twice(w) { incr(w); incr(w) }

byte x;

active proctype main() {
  incr_twice(x);
  incr_twice(x);
  assert(x == 4)
}
