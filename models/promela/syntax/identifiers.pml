//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// Names with underscores and digits, names that begin with a keyword, and names that
// differ in case only.
byte do_it, iffy, od2, _x, a_1_b, Value, value, skipped, atomic_, true_value = 1;

active proctype P_1() {
  do_it = 1; iffy = 2; od2 = 3; _x = 4; a_1_b = 5; Value = 6; value = 7;
  assert(do_it + iffy + od2 + _x + a_1_b + Value + value == 28);
  assert(true_value && !skipped && !atomic_)
}
