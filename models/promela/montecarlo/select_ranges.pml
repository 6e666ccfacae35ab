//@ verdict: holds
//@ errors: 0
//@ states: 5161
//@ transitions: 5161
//@ check: --ltl not_all_last => violated
//@ check: --ltl not_all_last --fair weak => violated
//@ check: --ltl not_last => violated
//@ check: --ltl not_last --fair weak => violated
//@ check: --ltl in_range => holds
//@ check: --ltl in_range --fair weak => holds
// Ranges that SPIN turns into a loop which counts up: long ones, those with expressions, those in an
// inline. A walk that draws steps knows of these loops, so the values are equally likely here, too: the
// probability of the last value is 1/40 for a, 1/8 for b, 1/4 for c, and that of all three 1/1280.
byte low = 2, high = 9, a, b, c;

inline pick(v) { select (v : 0 .. 3) }

ltl not_all_last { [] !(a == 39 && b == 9 && c == 3) }
ltl not_last { [] (a < 39) }
ltl in_range { [] (a <= 39 && b <= 9 && c <= 3) }

active proctype inputs() {
  atomic { select (a : 0 .. 39) };
  atomic { select (b : low .. high) };
  pick(c)
}
